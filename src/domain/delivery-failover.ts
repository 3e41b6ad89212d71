/**
 * Failover by delivery rate: when a route is bypassed in favour of the sender's next one, and when it is tried again.
 */
import type { Reason } from "./reason.ts";

export interface FailoverRule {
  /** From 0 to 1, over the messages that were delivered or failed. */
  belowDeliveryRate: number;
  /** Only messages accepted within this time count; it is also how long a route is first bypassed. */
  overMs: number;
  /** With fewer delivered and failed messages, nothing is decided. */
  minimum: number;
}

/** `rests`: how many times in a row it was bypassed. `rate`: the rate it was bypassed for. */
export type DeliveryTrust =
  | { kind: "good"; since: number }
  | { kind: "passed_over"; since: number; until: number; rests: number; rate: number }
  | { kind: "trial"; since: number; rests: number; rate: number };

export interface DecidedMessages {
  delivered: number;
  failed: number;
}

/** A route must exceed its limit by this much to be trusted again; otherwise one near the limit would flap. */
const recoveredBy = 0.05;
/** 0.85 − 0.8 is less than 0.05 in floating point. */
const rounding = 1e-9;
/** Each failed trial doubles the time a route is bypassed, up to eight times. */
const longestRest = 8;
/** A trial gets few messages: this share of the minimum is enough to decide. */
const trialShare = 0.2;
const trialMinimum = 10;

export const untried: DeliveryTrust = { kind: "good", since: 0 };

/** Only messages accepted from this time on count, epoch milliseconds. */
export function judgedFrom(rule: FailoverRule, state: DeliveryTrust, now: number): number {
  return state.kind === "good" ? Math.max(now - rule.overMs, state.since) : state.since;
}

/** Returns the same object if nothing changes. */
export function judgeDelivery(
  rule: FailoverRule,
  state: DeliveryTrust,
  { delivered, failed }: DecidedMessages,
  now: number,
): DeliveryTrust {
  const decided = delivered + failed;
  const rate = decided === 0 ? 1 : delivered / decided;
  if (state.kind === "passed_over") {
    return now < state.until ? state : { kind: "trial", since: now, rests: state.rests, rate: state.rate };
  }
  const rests = state.kind === "trial" ? state.rests : 0;
  const minimum = state.kind === "trial" ? Math.max(trialMinimum, rule.minimum * trialShare) : rule.minimum;
  if (decided < minimum) return state;
  if (rate < rule.belowDeliveryRate) {
    const until = now + rule.overMs * Math.min(2 ** rests, longestRest);
    return { kind: "passed_over", since: now, until, rests: rests + 1, rate };
  }
  const isRecovered = rate === 1 || rate - rule.belowDeliveryRate >= recoveredBy - rounding;
  return state.kind === "trial" && isRecovered ? { kind: "good", since: now } : state;
}

/** Null if the route is trusted. */
export function deliveryWarning({ belowDeliveryRate: limit }: FailoverRule, state: DeliveryTrust): Reason | null {
  if (state.kind === "good") return null;
  const { rate, since } = state;
  return state.kind === "passed_over"
    ? { code: "passed_over", rate, limit, since, until: state.until }
    : { code: "passed_over_trial", rate, limit, since };
}
