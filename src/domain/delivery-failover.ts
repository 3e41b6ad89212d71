/**
 * Failover by delivery rate, or by receipts that are late: when a route is bypassed in favour of the sender's next one, and
 * when it is tried again.
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

/** The delivery rate it was bypassed for; `late`: the share of late receipts, if that was why. */
type Shortfall = { rate: number; late?: number };

/** `rests`: how many times in a row it was bypassed. */
export type DeliveryTrust =
  | { kind: "good"; since: number }
  | ({ kind: "passed_over"; since: number; until: number; rests: number } & Shortfall)
  | ({ kind: "trial"; since: number; rests: number } & Shortfall);

export interface DecidedMessages {
  delivered: number;
  failed: number;
  /** Receipts of the last ten minutes, and those of them that were late. */
  receipts: number;
  late: number;
}

/** From the carrier's answer to the receipt. Both as GOV.UK Notify has them. */
export const lateAfterMs = 5 * 60_000;
const lateShareMax = 0.1;

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
  { delivered, failed, receipts, late }: DecidedMessages,
  now: number,
): DeliveryTrust {
  const decided = delivered + failed;
  const rate = decided === 0 ? 1 : delivered / decided;
  if (state.kind === "passed_over") {
    const { kind: _, until, ...rest } = state;
    return now < until ? state : { ...rest, kind: "trial", since: now };
  }
  const rests = state.kind === "trial" ? state.rests : 0;
  const minimum = state.kind === "trial" ? Math.max(trialMinimum, rule.minimum * trialShare) : rule.minimum;
  const isLate = receipts >= minimum && late > receipts * lateShareMax;
  if (decided < minimum && !isLate) return state;
  if (isLate || rate < rule.belowDeliveryRate) {
    const until = now + rule.overMs * Math.min(2 ** rests, longestRest);
    return { kind: "passed_over", since: now, until, rests: rests + 1, rate, ...(isLate && { late: late / receipts }) };
  }
  const isRecovered = rate === 1 || rate - rule.belowDeliveryRate >= recoveredBy - rounding;
  return state.kind === "trial" && isRecovered ? { kind: "good", since: now } : state;
}

/** Null if the route is trusted. */
export function deliveryWarning({ belowDeliveryRate: limit }: FailoverRule, state: DeliveryTrust): Reason | null {
  if (state.kind === "good") return null;
  const { rate, late, since } = state;
  const why = { rate, limit, since, ...(late !== undefined && { late }) };
  return state.kind === "passed_over"
    ? { code: "passed_over", ...why, until: state.until }
    : { code: "passed_over_trial", ...why };
}

const minuteMs = 60_000;
const minutesKept = 10;

/** How many receipts of a route came, and how many of them late, in each of the last ten minutes. */
export class ReceiptPace {
  #minutes: { at: number; receipts: number; late: number }[] = [];

  add(isLate: boolean, now: number): void {
    const at = Math.floor(now / minuteMs) * minuteMs;
    let last = this.#minutes.at(-1);
    if (last?.at !== at) {
      last = { at, receipts: 0, late: 0 };
      this.#minutes = [...this.#minutes.slice(1 - minutesKept), last];
    }
    last.receipts += 1;
    if (isLate) last.late += 1;
  }

  /** Of the whole minutes since `from`, at most the last ten. */
  since(from: number, now: number): Pick<DecidedMessages, "receipts" | "late"> {
    const first = Math.max(from, now - minutesKept * minuteMs);
    const some = this.#minutes.filter(({ at }) => at >= first);
    const sum = (of: "receipts" | "late") => some.reduce((total, minute) => total + minute[of], 0);
    return { receipts: sum("receipts"), late: sum("late") };
  }
}
