/** When a route is passed over for its delivery rate, and when it is trusted again: it does not flip with each look. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type DeliveryTrust,
  deliveryWarning,
  judgeDelivery,
  judgedFrom,
  ReceiptPace,
  untried,
} from "../../src/domain/delivery-failover.ts";
import { describeReason } from "../../src/domain/reason.ts";

const minuteMs = 60_000;
const rule = { belowDeliveryRate: 0.8, overMs: 60 * minuteMs, minimum: 50 };
const of = (delivered: number, failed: number, receipts = 0, late = 0) => ({ delivered, failed, receipts, late });
const now = Date.UTC(2026, 0, 5, 12);

const told = (...[failover, state]: Parameters<typeof deliveryWarning>) => {
  const warning = deliveryWarning(failover, state);
  return warning === null ? null : describeReason(warning);
};

describe("a trusted route", () => {
  test("is passed over below its limit, not at it, and not because of few messages", () => {
    expect(judgeDelivery(rule, untried, of(39, 10), now)).toBe(untried);
    expect(judgeDelivery(rule, untried, of(80, 20), now)).toBe(untried);
    expect(judgeDelivery(rule, untried, of(79, 21), now)).toEqual({
      kind: "passed_over",
      since: now,
      until: now + rule.overMs,
      rests: 1,
      rate: 0.79,
    });
  });

  test("is passed over when more than a tenth of enough receipts were late, and it says so", () => {
    expect(judgeDelivery(rule, untried, of(100, 0, 100, 10), now)).toBe(untried);
    expect(judgeDelivery(rule, untried, of(49, 0, 49, 49), now)).toBe(untried);
    const slow = judgeDelivery(rule, untried, of(100, 0, 100, 11), now);
    expect(slow).toMatchObject({ kind: "passed_over", until: now + rule.overMs, late: 0.11 });
    expect(told(rule, slow)).toBe(
      "11.0 % of its receipts came more than five minutes late: passed over for the sender's next route since 2026-01-05 12:00Z, tried again at 2026-01-05 13:00Z.",
    );
    const trial = judgeDelivery(rule, slow, of(0, 0), now + rule.overMs);
    expect(told(rule, trial)).toStartWith("11.0 % of its receipts came more than five minutes late: tried with");
    expect(judgeDelivery(rule, trial, of(10, 0, 10, 2), now)).toMatchObject({ kind: "passed_over", rests: 2 });
    expect(judgeDelivery(rule, trial, of(10, 0, 10, 1), now)).toMatchObject({ kind: "good" });
  });

  test("is judged by the receipts of the last ten minutes", () => {
    const pace = new ReceiptPace();
    for (let minute = 0; minute < 12; minute += 1) pace.add(minute < 6, now + minute * minuteMs);
    expect(pace.since(0, now + 11 * minuteMs)).toEqual({ receipts: 10, late: 4 });
    expect(pace.since(now + 8 * minuteMs, now + 11 * minuteMs)).toEqual({ receipts: 4, late: 0 });
    expect(pace.since(0, now + 60 * minuteMs)).toEqual({ receipts: 0, late: 0 });
  });
});

describe("a route that was passed over", () => {
  const passedOver = judgeDelivery(rule, untried, of(0, 50), now);

  test("goes on trial when its time is up, and its state is explained", () => {
    expect(judgeDelivery(rule, passedOver, of(0, 0), now + rule.overMs - 1)).toBe(passedOver);
    const trial = judgeDelivery(rule, passedOver, of(0, 0), now + rule.overMs);
    expect(trial).toMatchObject({ kind: "trial", rests: 1 });
    expect(told(rule, passedOver)).toBe(
      "It delivered 0.0 % of its messages, less than 80.0 %: passed over for the sender's next route since 2026-01-05 12:00Z, tried again at 2026-01-05 13:00Z.",
    );
    expect(told(rule, trial)).toContain("tried with one message in ten since 2026-01-05 13:00Z");
  });

  test("must clearly exceed its limit in the trial, counting the trial's messages alone", () => {
    const trial: DeliveryTrust = { kind: "trial", since: now, rests: 1, rate: 0 };
    expect(judgedFrom(rule, trial, now + 5 * rule.overMs)).toBe(now);
    expect(judgeDelivery(rule, trial, of(9, 0), now)).toBe(trial);
    expect(judgeDelivery(rule, trial, of(83, 17), now)).toBe(trial);
    expect(judgeDelivery(rule, trial, of(85, 15), now)).toEqual({ kind: "good", since: now });
    expect(judgeDelivery(rule, trial, of(5, 5), now)).toMatchObject({
      kind: "passed_over",
      until: now + 2 * rule.overMs,
    });
  });
});

test("in any sequence a pause grows to eight times its length at most, and only a trial ends it", () => {
  const few = fc.nat(200);
  const counts = fc.record({
    delivered: few,
    failed: few,
    receipts: few,
    late: few,
    waitMs: fc.nat(4 * 60 * minuteMs),
  });
  fc.assert(
    fc.property(fc.array(counts, { maxLength: 60 }), (looks) => {
      let state: DeliveryTrust = untried;
      let at = now;
      for (const look of looks) {
        at += look.waitMs;
        const next = judgeDelivery(rule, state, look, at);
        if (next.kind === "passed_over" && next !== state) {
          expect(next.until - at).toBeLessThanOrEqual(8 * rule.overMs);
          expect(next.until - at).toBeGreaterThanOrEqual(rule.overMs);
          if (next.late === undefined) expect(next.rate).toBeLessThan(rule.belowDeliveryRate);
        }
        if (state.kind === "passed_over") expect(["passed_over", "trial"]).toContain(next.kind);
        state = next;
      }
    }),
  );
});
