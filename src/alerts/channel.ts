/** A way to reach operators. */
import type { AlertChannelName } from "../domain/alert-channel.ts";
import type { AlertNotice } from "./notice.ts";

export interface AlertChannel {
  name: AlertChannelName;
  /** Whether it tells of such a notice at all. */
  takes(notice: AlertNotice): boolean;
  /** `failingRoutes`: names of routes that an alert stands for. Rejects with words for the operator. */
  send(notice: AlertNotice, failingRoutes: ReadonlySet<string>): Promise<void>;
}
