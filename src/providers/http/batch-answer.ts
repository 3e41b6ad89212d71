/** Reads the answer to a request with many messages: a list whose elements are the answers for single messages. */

import { scalarAt, tryParseJson, valueAt } from "../../domain/json-path.ts";
import { type AnswerOutcome, type AnswerRules, outcomeOfAnswer, type ProviderAnswer } from "./answer.ts";
import type { PlaceholderName, RequestValues } from "./template.ts";

/** How messages share a request. */
export interface BatchRules {
  /** Messages in one request at most. */
  messages: number;
  /** How long the first message waits for others. */
  waitMs: number;
  /** Path of the list in the answer; empty: the answer is the list. */
  list: string;
  /** Which message an element is about; null: the one at the same position. */
  key: { path: string; value: PlaceholderName } | null;
  /** What an element means for its message. */
  rules: AnswerRules;
}

/** One message of the request, with the values of its template. */
export interface BatchedMessage {
  trackingCode: string;
  values: RequestValues;
}

/**
 * An outcome for each message, in order. A message that the answer does not mention may have been taken; if positions
 * identify messages and their number is wrong, that applies to every message.
 */
export function outcomesOfList(
  answer: ProviderAnswer,
  { list, key, rules }: BatchRules,
  messages: readonly BatchedMessage[],
  asked: { hidesAnswer: boolean; now: number },
): AnswerOutcome[] {
  const found = valueAt(tryParseJson(answer.body), list);
  const elements: readonly unknown[] = Array.isArray(found) ? found : [];
  const isWhole = key !== null || elements.length === messages.length;
  const elementOf = (message: BatchedMessage, index: number): unknown => {
    if (key === null) return isWhole ? elements[index] : undefined;
    const wanted = String(message.values[key.value]);
    return elements.find((element) => scalarAt(element, key.path) === wanted);
  };
  return messages.map((message, index) => {
    const element = elementOf(message, index);
    if (element === undefined) return unanswered(elements.length, messages.length);
    const own = { ...answer, body: JSON.stringify(element) };
    const outcome = outcomeOfAnswer(own, rules, { ...asked, trackingCode: message.trackingCode });
    // A limit for one recipient is not a limit of the route.
    return outcome.kind === "throttled" ? { ...outcome, pause: "message" } : outcome;
  });
}

function unanswered(answers: number, messages: number): AnswerOutcome {
  return { kind: "unmatched", reason: { code: "http_not_listed", answers, messages }, isSuccess: true };
}
