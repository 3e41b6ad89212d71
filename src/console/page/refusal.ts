/** Refusals of the operator API, in the reader's language. */
import { sentenceOf } from "../../domain/coded.ts";
import { OperatorError, type OperatorErrorCode, refusalText } from "../../domain/operator-error.ts";
import { englishProblems, isWholeSentence, type OperatorProblem, problemLine } from "../../domain/operator-problem.ts";
import { persianDetails } from "../../words/fa/error-detail.ts";
import { persianErrors } from "../../words/fa/operator-error.ts";
import { persianProblems } from "../../words/fa/operator-problem.ts";
import { isolate } from "../../words/isolate.ts";
import type { FieldErrors } from "../components/forms.tsx";
import type { Locale } from "../locale.ts";

/** What is wrong with a field. */
export function problemSentence(problem: OperatorProblem, { language, words }: Locale): string {
  if (language === "fa") return sentenceOf(problem, persianProblems);
  const message = sentenceOf(problem, englishProblems);
  if (!isWholeSentence(problem.code)) return words.forms.refused(message).replace(/\?\.$/, "?");
  return /[.!?]$/.test(message) ? message : `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

/** For a file: follows its key, or the line number. */
export function placedProblem(problem: OperatorProblem, locale: Locale): string {
  const { language, words, format } = locale;
  if (language === "en") return problemLine(problem);
  const [, line] = /^line (\d+)$/.exec(problem.key) ?? [];
  const place = line === undefined ? isolate(problem.key) : words.imports.line(format.plain(Number(line)));
  return `${place}: ${problemSentence(problem, locale)}`;
}

/** A refusal as a whole. */
export function refusalSentence(refusal: OperatorError, { language }: Locale): string {
  if (language === "en") return refusalText(refusal);
  const { code, detail } = refusal;
  return (detail === null ? null : sentenceOf(detail, persianDetails)) ?? persianErrors[code];
}

/** The typed text names no account. The message is a sentence in the reader's language. */
export class UnknownAccount extends Error {
  override name = "UnknownAccount";
}

/** The typed text names no sender. The message is a sentence in the reader's language. */
export class UnknownSender extends Error {
  override name = "UnknownSender";
}

/** The field at which a refusal that names none is told, by its code. */
export type RefusedAt = Readonly<Partial<Record<OperatorErrorCode, string>>>;

/** A refusal of the operator API as errors of the fields that it names, or of that in `at`. @throws anything else unchanged */
export function refusedFields(reason: unknown, locale: Locale, at: RefusedAt = {}): FieldErrors {
  if (reason instanceof UnknownAccount) return { account: reason.message };
  if (!(reason instanceof OperatorError)) throw reason;
  const field = at[reason.code];
  if (field !== undefined) return { [field]: refusalSentence(reason, locale) };
  if (reason.code !== "invalid") throw reason;
  const named = reason.problems.map(
    (problem) => [problem.key.split(/[./]/, 1).join(""), problemSentence(problem, locale)] as const,
  );
  return Object.fromEntries(named);
}
