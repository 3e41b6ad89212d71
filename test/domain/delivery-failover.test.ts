/** When a route is passed over for its delivery rate, and when it is trusted again: it does not flip with each look. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type DeliveryTrust,
  deliveryWarning,
  judgeDelivery,
  judgedFrom,
  untried,
} from "../../src/domain/delivery-failover.ts";
import { describeReason } from "../../src/words/en/reason-text.ts";

const minuteMs = 60_000;
const rule = { belowDeliveryRate: 0.8, overMs: 60 * minuteMs, minimum: 50 };
const of = (delivered: number, failed: number) => ({ delivered, failed });
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
  const counts = fc.record({ delivered: fc.nat(200), failed: fc.nat(200), waitMs: fc.nat(4 * 60 * minuteMs) });
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
          expect(next.rate).toBeLessThan(rule.belowDeliveryRate);
        }
        if (state.kind === "passed_over") expect(["passed_over", "trial"]).toContain(next.kind);
        state = next;
      }
    }),
  );
});
