/** A way to reach operators. */
import type { AlertChannelName } from "../domain/alert-channel.ts";
import { type NoticeFailure, noticeFailureText } from "../domain/notice-failure.ts";
import type { AlertNotice } from "./notice.ts";

export class NoticeNotSent extends Error {
  override readonly name = "NoticeNotSent";

  constructor(readonly failure: NoticeFailure) {
    super(noticeFailureText(failure));
  }
}

export interface AlertChannel {
  name: AlertChannelName;
  /** Whether it tells of such a notice at all. */
  takes(notice: AlertNotice): boolean;
  /** `failingRoutes`: names of routes that an alert stands for. Rejects with NoticeNotSent, or as a mail server or the system does. */
  send(notice: AlertNotice, failingRoutes: ReadonlySet<string>): Promise<void>;
}
