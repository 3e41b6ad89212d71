/** What an HTTP provider's answer means, by the rules of a route's file. */
import type { SubmitOutcome } from "../provider.ts";
import { scalarAt, tryParseJson } from "./json-path.ts";

/** All that is set must hold. */
export interface Condition {
  /** Any of these, each from and to inclusive. */
  statuses: readonly (readonly [number, number])[];
  body: RegExp | null;
  json: { path: string; values: readonly string[] } | null;
}

/** Where the provider's id stands; `trackingCode`: it takes ours. Null: it gives none. */
export type IdRule =
  | { from: "json"; path: string }
  | { from: "body"; pattern: RegExp }
  | { from: "header"; name: string }
  | { from: "trackingCode" };

/** Looked at in this order; the first that holds decides, and `rejected` is what is left. */
export interface AnswerRules {
  /** Our credentials are refused: no message's fault. */
  unauthorised: readonly Condition[];
  throttled: readonly Condition[];
  temporary: readonly Condition[];
  recipientInvalid: readonly Condition[];
  accepted: readonly Condition[];
  id: IdRule | null;
}

export interface ProviderAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const range = (from: number, to = from): Condition => ({ statuses: [[from, to]], body: null, json: null });

/** What HTTP itself says (RFC 9110 §15), for what a file leaves open. */
export const defaultRules: AnswerRules = {
  unauthorised: [range(401), range(403)],
  throttled: [range(429)],
  temporary: [range(408), range(500, 599)],
  recipientInvalid: [],
  accepted: [range(200, 299)],
  id: null,
};

export type AnswerOutcome = SubmitOutcome | { kind: "unauthorised"; detail: string };

const throttlePauseMs = 1_000;
const retryAfterMsMax = 3_600_000;

export function outcomeOfAnswer(answer: ProviderAnswer, rules: AnswerRules, trackingCode: string): AnswerOutcome {
  const json = tryParseJson(answer.body);
  const holds = (conditions: readonly Condition[]) => conditions.some((condition) => matches(condition, answer, json));
  const detail = `the provider answered ${answer.status}: ${excerpt(answer.body)}`;
  if (holds(rules.unauthorised)) return { kind: "unauthorised", detail };
  if (holds(rules.throttled)) return { kind: "throttled", detail, retryAfterMs: retryAfterMs(answer), pause: "route" };
  if (holds(rules.temporary)) return { kind: "temporary", detail };
  if (holds(rules.recipientInvalid)) return { kind: "rejected", error: "recipient_invalid", detail };
  if (!holds(rules.accepted)) return { kind: "rejected", error: "rejected_by_network", detail };
  return { kind: "accepted", partIds: [rules.id === null ? null : idIn(answer, json, rules.id, trackingCode)] };
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

/** Seconds; a date is not worth reading here. */
function retryAfterMs(answer: ProviderAnswer): number {
  const seconds = Number(answer.headers.get("Retry-After") ?? Number.NaN);
  const isSensible = Number.isFinite(seconds) && seconds > 0;
  return isSensible ? Math.min(seconds * 1000, retryAfterMsMax) : throttlePauseMs;
}

const excerptLength = 200;

/** What an operator sees of an answer: one line, not too long. */
export function excerpt(body: string): string {
  const line = body.replace(/\s+/g, " ").trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line;
}
