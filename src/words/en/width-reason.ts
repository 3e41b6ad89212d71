/** English: why a webhook has as many attempts at once as it has. */
import type { WidthReason } from "../../domain/attempt-width.ts";

export type WidthReasonTexts = Readonly<Record<WidthReason, string>>;

export const englishWidthReasons: WidthReasonTexts = {
  first: "more once it is busy and answers promptly",
  prompt: "its answers are prompt",
  steady: "with more, its answers would only come later",
  slow: "an answer took longer than two seconds",
  refused: "it answered with an error",
  no_answer: "it gave no answer",
  throttled: "it asked for fewer (429 or Retry-After)",
};
