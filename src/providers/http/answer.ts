/** Maps an HTTP provider's answer to an outcome, by the rules of a route's file. */
import type { Reason } from "../../domain/reason.ts";
import { retryAfterMs } from "../../domain/retry-after.ts";
import type { SubmitOutcome } from "../provider.ts";
import { scalarAt, tryParseJson } from "./json-path.ts";

/** All that is set must hold. */
export interface Condition {
  /** Any of these, each from and to inclusive. */
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
 * Tried in this order; the first that holds decides. An answer for which none holds is no message's fault: a success may
 * have taken the message all the same, a refusal is one for now.
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

/** The meaning of statuses in HTTP (RFC 9110 §15), for what a file leaves open. */
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

/** `unmatched`: no rule holds. `isSuccess`: the status is a success, so the provider may have taken the message. */
export type AnswerOutcome =
  | SubmitOutcome
  | { kind: "unauthorised"; reason: Reason }
  | { kind: "unmatched"; reason: Reason; isSuccess: boolean };

/** Where the provider does not say for how long. */
const throttlePauseMs = 1_000;

/** The message that an answer is for. `hidesAnswer`: a provider may echo a text that must stay secret. */
export interface AnsweredMessage {
  trackingCode: string;
  hidesAnswer: boolean;
  /** Epoch milliseconds. */
  now: number;
}

export function outcomeOfAnswer(answer: ProviderAnswer, rules: AnswerRules, message: AnsweredMessage): AnswerOutcome {
  const json = tryParseJson(answer.body);
  const holds = (conditions: readonly Condition[]) => conditions.some((condition) => matches(condition, answer, json));
  const reason = reasonOfAnswer(message.hidesAnswer ? { ...answer, body: "" } : answer);
  if (holds(rules.unauthorised)) return { kind: "unauthorised", reason };
  const waitMs = retryAfterMs(answer.headers.get("Retry-After"), message.now) ?? 0;
  if (holds(rules.throttled)) {
    return { kind: "throttled", reason, retryAfterMs: waitMs || throttlePauseMs, pause: "route" };
  }
  if (holds(rules.temporary)) return { kind: "temporary", reason, ...(waitMs > 0 && { pauseRouteMs: waitMs }) };
  if (holds(rules.recipientInvalid)) return { kind: "rejected", error: "recipient_invalid", reason };
  if (holds(rules.rejected)) return { kind: "rejected", error: "rejected_by_network", reason };
  if (!holds(rules.accepted)) return unmatched(reason);
  return { kind: "accepted", partIds: [rules.id === null ? null : idIn(answer, json, rules.id, message.trackingCode)] };
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

function idIn(answer: ProviderAnswer, json: unknown, rule: IdRule, trackingCode: string): string | null {
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

/** An id's place in words. */
export function describeIdRule(rule: IdRule): string {
  switch (rule.from) {
    case "trackingCode":
      return "Peyk's tracking code";
    case "json":
      return `the path ${rule.path} in JSON`;
    case "header":
      return `the header ${rule.name}`;
    case "body":
      return `the pattern ${rule.pattern.source}`;
  }
}

const excerptLength = 200;

/** The answer's status and the beginning of its body, on one line. */
export function reasonOfAnswer({ status, body }: ProviderAnswer): Reason<"http_answered"> {
  const line = body.replace(/\s+/g, " ").trim();
  const words = line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
  return { code: "http_answered", status, words };
}
