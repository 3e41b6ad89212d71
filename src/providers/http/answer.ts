/** Maps an HTTP provider's answer to an outcome, by the rules of a route's file. */

import { scalarAt, tryParseJson } from "../../domain/json-path.ts";
import type { CarrierIdSource, Reason } from "../../domain/reason.ts";
import { retryAfterMs } from "../../domain/retry-after.ts";
import type { SubmitOutcome } from "../provider.ts";

/** All conditions that are set must hold. */
export interface Condition {
  /** Any of these ranges, both ends inclusive. */
  statuses: readonly (readonly [number, number])[];
  body: RegExp | null;
  json: { path: string; values: readonly string[] } | null;
}

/** Where the answer holds the provider's id; `trackingCode`: the provider takes Peyk's. Null: it gives none. */
export type IdRule =
  | { from: "json"; path: string }
  | { from: "body"; pattern: RegExp }
  | { from: "header"; name: string }
  | { from: "trackingCode" };

/**
 * Tried in this order; the first that matches decides. An answer that matches none is not the message's fault: after a
 * success the message may have been taken all the same, a refusal is temporary.
 */
export interface AnswerRules {
  /** The provider refuses the credentials: no message is at fault. */
  unauthorised: readonly Condition[];
  throttled: readonly Condition[];
  temporary: readonly Condition[];
  recipientInvalid: readonly Condition[];
  /** Refused for good. */
  rejected: readonly Condition[];
  accepted: readonly Condition[];
  id: IdRule | null;
}

export interface ProviderAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const range = (from: number, to = from): Condition => ({ statuses: [[from, to]], body: null, json: null });

/** The meaning of HTTP statuses (RFC 9110 §15), for cases that a file does not define. */
export const defaultRules: AnswerRules = {
  unauthorised: [range(401), range(403)],
  throttled: [range(429)],
  temporary: [range(408), range(500, 599)],
  recipientInvalid: [],
  // Without 402, which says that the operator has no credit left.
  rejected: [range(400), range(404, 499)],
  accepted: [range(200, 299)],
  id: null,
};

/** `unmatched`: no rule matches. `isSuccess`: the status is a success, so the provider may have taken the message. */
export type AnswerOutcome =
  | SubmitOutcome
  | { kind: "unauthorised"; reason: Reason }
  | { kind: "unmatched"; reason: Reason; isSuccess: boolean };

/** Used if the provider does not say how long. */
const throttlePauseMs = 1_000;

/** The message being answered. `hidesAnswer`: a provider may echo a text that must stay secret. */
export interface AnsweredMessage {
  trackingCode: string;
  hidesAnswer: boolean;
  /** Epoch milliseconds. */
  now: number;
}

/** In the order in which they are tried. */
const refusals = ["unauthorised", "throttled", "temporary", "recipientInvalid", "rejected"] as const;

export function outcomeOfAnswer(answer: ProviderAnswer, rules: AnswerRules, message: AnsweredMessage): AnswerOutcome {
  const json = tryParseJson(answer.body);
  const holds = (condition: Condition) => matches(condition, answer, json);
  const answered = () => reasonOfAnswer(message.hidesAnswer ? { ...answer, body: "" } : answer);
  for (const refusal of refusals) {
    const condition = rules[refusal].find(holds);
    if (condition === undefined) continue;
    const waitMs = retryAfterMs(answer.headers.get("Retry-After"), message.now) ?? 0;
    return refused(refusal, { ...answered(), ...carrierCodeOf(condition, json) }, waitMs);
  }
  if (!rules.accepted.some(holds)) return unmatched(answered());
  return { kind: "accepted", partIds: [rules.id === null ? null : idIn(answer, json, rules.id, message.trackingCode)] };
}

/** `waitMs`: how long the provider asks to be left alone; 0 if it does not say. */
function refused(refusal: (typeof refusals)[number], reason: Reason, waitMs: number): AnswerOutcome {
  switch (refusal) {
    case "unauthorised":
      return { kind: "unauthorised", reason };
    case "throttled":
      return { kind: "throttled", reason, retryAfterMs: waitMs || throttlePauseMs, pause: "route" };
    case "temporary":
      return { kind: "temporary", reason, ...(waitMs > 0 && { pauseRouteMs: waitMs }) };
    case "recipientInvalid":
      return { kind: "rejected", error: "recipient_invalid", reason };
    case "rejected":
      return { kind: "rejected", error: "rejected_by_network", reason };
  }
}

/** The value that a condition matched in a JSON answer: the route's file lists it, so it is never a message's text. */
function carrierCodeOf({ json: wanted }: Condition, json: unknown): { carrierCode?: string } {
  return wanted === null ? {} : { carrierCode: `${wanted.path} ${scalarAt(json, wanted.path)}` };
}

function unmatched(answered: Reason<"http_answered">): AnswerOutcome {
  const isSuccess = answered.status >= 200 && answered.status <= 299;
  return { kind: "unmatched", reason: { ...answered, code: "http_unmatched" }, isSuccess };
}

export function matches(condition: Condition, answer: ProviderAnswer, json: unknown): boolean {
  const { statuses, body } = condition;
  if (statuses.length > 0 && !statuses.some(([from, to]) => answer.status >= from && answer.status <= to)) return false;
  if (body !== null && !body.test(answer.body)) return false;
  if (condition.json === null) return true;
  const found = scalarAt(json, condition.json.path);
  return found !== null && condition.json.values.includes(found);
}

/** What the answer holds at the rule's place. */
export function idIn(answer: ProviderAnswer, json: unknown, rule: IdRule, trackingCode: string): string | null {
  switch (rule.from) {
    case "trackingCode":
      return trackingCode;
    case "json":
      return scalarAt(json, rule.path);
    case "header":
      return answer.headers.get(rule.name);
    case "body":
      return rule.pattern.exec(answer.body)?.[1] ?? null;
  }
}

/** Describes where an id is found. */
export function idSourceOf(rule: IdRule): CarrierIdSource {
  switch (rule.from) {
    case "trackingCode":
      return { from: rule.from };
    case "json":
      return { from: rule.from, at: rule.path };
    case "header":
      return { from: rule.from, at: rule.name };
    case "body":
      return { from: rule.from, at: rule.pattern.source };
  }
}

const excerptLength = 200;

/** The answer's status and the beginning of its body, on one line. */
export function reasonOfAnswer({ status, body }: ProviderAnswer): Reason<"http_answered"> {
  const line = body.replace(/\s+/g, " ").trim();
  const words = line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
  return { code: "http_answered", status, words };
}
