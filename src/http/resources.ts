/** Every resource of the public API: whatever is listed here is served, enforced and documented. */

import type { Inbox } from "../inbound/inbox.ts";
import type { Groups } from "../messaging/groups/groups.ts";
import type { Acceptor } from "../messaging/messages/accept.ts";
import type { Canceller } from "../messaging/messages/cancel.ts";
import type { Tracker } from "../messaging/messages/track.ts";
import type { Otp } from "../messaging/otp/otp.ts";
import type { Patterns } from "../messaging/patterns/patterns.ts";
import type { WebhookService } from "../webhooks/webhook-service.ts";
import { groupOperations } from "./approved-groups.ts";
import { inboundOperations } from "./inbound-messages.ts";
import type { Operation } from "./operation.ts";
import { otpOperations } from "./otp.ts";
import { patternOperations } from "./patterns.ts";
import { type SenderLister, senderOperations } from "./senders.ts";
import { sendingOperations } from "./sending.ts";
import { trackingOperations } from "./tracking.ts";
import { webhookOperations } from "./webhooks.ts";

/** The services behind the resources. A new resource adds its service here and its line below. */
export interface ResourceDeps {
  acceptor: Acceptor;
  canceller: Canceller;
  tracker: Tracker;
  directory: SenderLister;
  inbox: Inbox;
  webhooks: WebhookService;
  groups: Pick<Groups, "service" | "sender">;
  patterns: Pick<Patterns, "sender">;
  otp: Pick<Otp, "service">;
  settings: { sandbox: { enabled: boolean } };
}

export function operationsOf({
  acceptor,
  canceller,
  tracker,
  directory,
  inbox,
  webhooks,
  groups,
  patterns,
  otp,
  settings: { sandbox },
}: ResourceDeps): Operation[] {
  return [
    ...sendingOperations(acceptor),
    ...trackingOperations(tracker, canceller, sandbox.enabled),
    ...senderOperations(directory),
    ...groupOperations(groups),
    ...patternOperations(patterns.sender),
    ...otpOperations(otp.service),
    ...inboundOperations(inbox),
    ...webhookOperations(webhooks),
  ];
}
