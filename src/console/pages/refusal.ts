/** What the operator API refused, in the reader's language. */
import { OperatorError, problemLine } from "../../domain/operator-error.ts";
import { type OperatorProblem, problemText } from "../../domain/operator-problem.ts";
import type { FieldErrors } from "../components/forms.tsx";
import type { Locale } from "../locale.ts";
import { persianErrors } from "../words/fa/operator-error.ts";
import { persianProblems } from "../words/fa/operator-problem.ts";
import { isolate } from "../words/isolate.ts";

/** English words begin with what a field does: "must be", "is no". Others are sentences. */
const isPredicate = (message: string) => /^(?:must|is|has|needs|asks|takes|holds|leave)\b/.test(message);

/** What is wrong with a field. Some problems have no code: those stay English. */
export function problemSentence(problem: OperatorProblem, { language, words }: Locale): string {
  if (language === "fa" && problem.code !== undefined) return problemText(problem, persianProblems);
  const { message } = problem;
  if (language === "fa" || isPredicate(message)) return words.forms.refused(message).replace(/\?\.$/, "?");
  return /[.!?]$/.test(message) ? message : `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

/** Of a file: after its key, or the number of its line. */
export function placedProblem(problem: OperatorProblem, locale: Locale): string {
  const { language, words, format } = locale;
  if (language === "en") return problemLine(problem);
  const [, line] = /^line (\d+)$/.exec(problem.key) ?? [];
  const place = line === undefined ? isolate(problem.key) : words.imports.line(format.plain(Number(line)));
  return `${place}: ${problemSentence(problem, locale)}`;
}

/** A refusal as a whole: in English with the values that it was made with. */
export const refusalSentence = (
  { code, message }: Pick<OperatorError, "code" | "message">,
  { language }: Locale,
): string => (language === "fa" ? persianErrors[code] : message);

/** What was typed names no account. The message is a sentence in the reader's language. */
export class UnknownAccount extends Error {
  override name = "UnknownAccount";
}

/** What was typed names no sender. The message is a sentence in the reader's language. */
export class UnknownSender extends Error {
  override name = "UnknownSender";
}

/** What the operator API refused, at the fields that it names. @throws what is no refusal of a form */
export function refusedFields(reason: unknown, locale: Locale): FieldErrors {
  if (reason instanceof UnknownAccount) return { account: reason.message };
  if (!(reason instanceof OperatorError) || reason.code !== "invalid") throw reason;
  const named = reason.problems.map(
    (problem) => [problem.key.split(/[./]/, 1).join(""), problemSentence(problem, locale)] as const,
  );
  return Object.fromEntries(named);
}
