/** Alerts to an operator's webhook: signed and guarded like customers' callbacks. */

import type { CallbackAttempts } from "../webhooks/attempt.ts";
import { type AlertChannel, NoticeNotSent } from "./channel.ts";
import { alertEventKind, noticeBody } from "./notice.ts";
import type { ReadSecret } from "./receivers.ts";

export interface WebhookChannelOptions {
  url: string;
  /** Signs each call. */
  secret: ReadSecret;
  attempts: Pick<CallbackAttempts, "run">;
}

export function webhookChannel({ url, secret, attempts }: WebhookChannelOptions): AlertChannel {
  return {
    name: "webhook",
    takes: () => true,
    async send(notice) {
      const callback = { url, eventId: notice.id, kind: alertEventKind, body: noticeBody(notice), attempt: 1 };
      const signingSecret = secret();
      const { failure, status, detail } = await attempts.run(
        { ...callback, signingSecret },
        new AbortController().signal,
      );
      if (failure !== null) throw new NoticeNotSent({ code: "not_called", values: { failure, status, detail } });
    },
  };
}
