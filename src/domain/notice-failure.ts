/** Why a notice of an alert did not arrive: a code and its values. */
import type { Reason } from "./reason.ts";

/** The values in each sentence. */
export interface NoticeFailureValues {
  /** The channel is no longer in the settings. */
  channel_off: object;
  /** Every route either has an alert or takes no messages. */
  no_route: object;
  /** `reason`: null for a route that is disabled. */
  not_taken: { refusals: readonly { route: string; reason: Reason | null }[] };
  /** `failure`: as named in callback attempts; `detail`: the system's message, which may be empty. */
  not_called: { failure: string; status: number | null; detail: string };
  /** A secret's file. `words`: which one, and why. */
  secret_file_unusable: { words: string };
  /** In the words of the mail server or the system. */
  as_told: { words: string };
}

export type NoticeFailureCode = keyof NoticeFailureValues;

export type NoticeFailure<Code extends NoticeFailureCode = NoticeFailureCode> = {
  [One in Code]: { code: One; values: NoticeFailureValues[One] };
}[Code];
