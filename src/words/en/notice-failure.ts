/** English: why a notice of an alert did not arrive. */
import type { NoticeFailure, NoticeFailureCode, NoticeFailureValues } from "../../domain/notice-failure.ts";
import { describeReason } from "./reason-text.ts";

export type NoticeFailureTexts = {
  readonly [Code in NoticeFailureCode]: (values: NoticeFailureValues[Code]) => string;
};

export const englishNoticeFailures: NoticeFailureTexts = {
  channel_off: () => "the channel is off",
  no_route: () => "there is no route without an alert to send it by",
  not_taken: ({ refusals }) =>
    refusals
      .map(({ route, reason }) => `${route}: ${reason === null ? "the route is disabled" : describeReason(reason)}`)
      .join("; "),
  not_called: ({ failure, status, detail }) =>
    [status === null ? failure : `${failure} ${status}`, detail].filter(Boolean).join(": "),
  secret_file_unusable: ({ words }) => words,
  as_told: ({ words }) => words,
};

export function noticeFailureText<Code extends NoticeFailureCode>(
  { code, values }: NoticeFailure<Code>,
  texts = englishNoticeFailures,
): string {
  return texts[code](values);
}
