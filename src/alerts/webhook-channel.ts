/** Alerts to a webhook of the operator's: signed and guarded like the callbacks of customers. */

import { readSecretFile } from "../platform/secret-file.ts";
import type { CallbackAttempts } from "../webhooks/attempt.ts";
import type { AlertChannel } from "./channel.ts";
import { alertEventKind, noticeBody } from "./notice.ts";

export interface WebhookChannelOptions {
  url: string;
  secretFile: string;
  attempts: Pick<CallbackAttempts, "run">;
}

export function webhookChannel({ url, secretFile, attempts }: WebhookChannelOptions): AlertChannel {
  return {
    name: "webhook",
    takes: () => true,
    async send(notice) {
      const callback = { url, eventId: notice.id, kind: alertEventKind, body: noticeBody(notice), attempt: 1 };
      const signingSecret = readSecretFile(secretFile);
      const outcome = await attempts.run({ ...callback, signingSecret }, new AbortController().signal);
      if (outcome.failure === null) return;
      const status = outcome.status === null ? "" : ` ${outcome.status}`;
      throw new Error([`${outcome.failure}${status}`, outcome.detail].filter(Boolean).join(": "));
    },
  };
}
