/** A channel to operators. */
import type { AlertChannelName } from "../domain/alert-channel.ts";
import { sentenceOf } from "../domain/coded.ts";
import { englishNoticeFailures, type NoticeFailure } from "../domain/notice-failure.ts";
import type { AlertNotice } from "./notice.ts";

export class NoticeNotSent extends Error {
  override readonly name = "NoticeNotSent";

  constructor(readonly failure: NoticeFailure) {
    super(sentenceOf(failure, englishNoticeFailures));
  }
}

export interface AlertChannel {
  name: AlertChannelName;
  /** True if it sends this kind of notice. */
  takes(notice: AlertNotice): boolean;
  /**
   * `failingRoutes`: names of routes with an active alert. Rejects with NoticeNotSent, or with the error of a mail
   * server or the system.
   */
  send(notice: AlertNotice, failingRoutes: ReadonlySet<string>): Promise<void>;
}
