/** Why a notice of an alert did not arrive, in English. */
import type { Coded, SentencesOf, ValuesOfSentences } from "./coded.ts";
import { describeReason, type Reason } from "./reason.ts";

const english = {
  /** The channel is no longer in the settings. */
  channel_off: () => "the channel is off",
  /** Every route either has an alert or takes no messages. */
  no_route: () => "there is no route without an alert to send it by",
  /** `reason`: null for a route that is disabled. */
  not_taken: ({ refusals }: { refusals: readonly { route: string; reason: Reason | null }[] }) =>
    refusals
      .map(({ route, reason }) => `${route}: ${reason === null ? "the route is disabled" : describeReason(reason)}`)
      .join("; "),
  /** `failure`: as named in callback attempts; `detail`: the system's message, which may be empty. */
  not_called: ({ failure, status, detail }: { failure: string; status: number | null; detail: string }) =>
    [status === null ? failure : `${failure} ${status}`, detail].filter(Boolean).join(": "),
  /** A secret's file. `words`: which one, and why. */
  secret_file_unusable: ({ words }: { words: string }) => words,
  /** In the words of the mail server or the system. */
  as_told: ({ words }: { words: string }) => words,
};

export type NoticeFailureValues = ValuesOfSentences<typeof english>;
export type NoticeFailureTexts = SentencesOf<NoticeFailureValues>;
export const englishNoticeFailures: NoticeFailureTexts = english;
export type NoticeFailureCode = keyof NoticeFailureValues;
export type NoticeFailure<Code extends NoticeFailureCode = NoticeFailureCode> = Coded<NoticeFailureValues, Code>;
