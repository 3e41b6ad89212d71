/** Attempts at once to a webhook: wider with prompt answers, narrower when the receiver cannot keep up. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AttemptWidth,
  attemptsAtFirst,
  attemptsAtOnce,
  attemptsAtOnceMax,
  firstWidth,
  type WidthAnswer,
  widthAfter,
  widthAt,
} from "../../src/domain/attempt-width.ts";

const outcomes = ["accepted", "refused", "throttled", "no_answer"] as const;

interface Step {
  outcome: WidthAnswer["outcome"];
  afterMs: number;
  durationMs: number;
  wasFull: boolean;
  retryAfterMs: number | null;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  outcome: fc.constantFrom(...outcomes),
  afterMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 120_000 })),
  durationMs: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10_000 })),
  wasFull: fc.boolean(),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 3_600_000 })),
});

/** Every state on the way, each with the step that led to it. */
function statesOf(steps: readonly Step[]): { before: AttemptWidth; step: Step; after: AttemptWidth; at: number }[] {
  let at = 0;
  let width = firstWidth;
  return steps.map((step) => {
    at += step.afterMs;
    const before = width;
    const { outcome, durationMs, wasFull, retryAfterMs } = step;
    width = widthAfter(before, { outcome, at, beganAt: at - durationMs, wasFull, retryAfterMs });
    return { before, step, after: width, at };
  });
}

const anySteps = fc.array(anyStep, { maxLength: 60 });
const prompt = (at: number): WidthAnswer => ({
  outcome: "accepted",
  at,
  beganAt: at - 10,
  wasFull: true,
  retryAfterMs: null,
});

describe("in any sequence of answers", () => {
  test("a webhook has 1 to 32 concurrent attempts, one during a Retry-After, and two unless it was throttled", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        let wasThrottled = false;
        for (const { step, after, at } of statesOf(steps)) {
          wasThrottled ||= step.outcome === "throttled";
          const now = attemptsAtOnce(after, at);
          expect(Number.isInteger(now) && now >= 1 && now <= attemptsAtOnceMax).toBe(true);
          if (at < after.heldUntil) expect(now).toBe(1);
          if (!wasThrottled) expect(now).toBeGreaterThanOrEqual(attemptsAtFirst);
        }
      }),
    );
  });

  test("only an accepted answer to a webhook at its limit raises the limit, by one at most, and above two only a prompt one", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        for (const { before, step, after, at } of statesOf(steps)) {
          const gained = after.width - widthAt(before, at).width;
          expect(gained).toBeLessThanOrEqual(1);
          if (gained > 0) expect(step).toMatchObject({ outcome: "accepted", wasFull: true });
          if (gained > 0 && after.width > attemptsAtFirst) expect(step.durationMs).toBeLessThanOrEqual(1_000);
        }
      }),
    );
  });

  test("no limit is final: prompt answers raise it to 32 again", () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        const last = statesOf(steps).at(-1);
        let width = last?.after ?? firstWidth;
        let at = Math.max(last?.at ?? 0, width.heldUntil, 0);
        for (let answers = 0; answers < 1_200; answers += 1) {
          at += 10;
          width = widthAfter(width, prompt(at));
        }
        expect(attemptsAtOnce(width, at)).toBe(attemptsAtOnceMax);
      }),
    );
  });

  test("an overload that fails a whole round of attempts lowers the limit once, at its first failure", () => {
    fc.assert(
      fc.property(anySteps, fc.constantFrom("refused", "no_answer", "throttled"), (steps, outcome) => {
        const last = statesOf(steps).at(-1);
        const before = last?.after ?? firstWidth;
        const at = (last?.at ?? 0) + 1_000;
        const failure = (ended: number) => ({ ...prompt(ended), outcome, beganAt: at - 1 });
        const once = widthAfter(before, failure(at));
        let round = once;
        for (let index = 1; index < 32; index += 1) round = widthAfter(round, failure(at + index));
        expect(round.width).toBe(once.width);
      }),
    );
  });
});

/**
 * A webhook with always something to send, and a receiver that takes `serviceMs(n)` while n attempts are with it.
 * Returns the messages a second of the last half, and the widest.
 */
function run(seconds: number, answer: (n: number, at: number) => Pick<WidthAnswer, "outcome"> & { ms: number }) {
  let width = firstWidth;
  let widest = 0;
  let accepted = 0;
  let attempts = 0;
  let refused = 0;
  const underWay: { beganAt: number; endsAt: number; outcome: WidthAnswer["outcome"] }[] = [];
  const endAt = seconds * 1_000;
  for (let at = 0; at < endAt; ) {
    while (underWay.length < attemptsAtOnce(width, at)) {
      const { outcome, ms } = answer(underWay.length + 1, at);
      attempts += 1;
      underWay.push({ beganAt: at, endsAt: at + ms, outcome });
      widest = Math.max(widest, underWay.length);
    }
    underWay.sort((a, b) => a.endsAt - b.endsAt);
    const wasFull = underWay.length >= attemptsAtOnce(width, at);
    const ended = underWay.shift();
    if (ended === undefined) throw new Error("Nothing is under way");
    at = ended.endsAt;
    if (ended.outcome === "accepted" && at > endAt / 2) accepted += 1;
    if (ended.outcome !== "accepted") refused += 1;
    width = widthAfter(width, { ...ended, at, wasFull, retryAfterMs: null });
  }
  return {
    rate: accepted / (seconds / 2),
    widest,
    refusedShare: refused / attempts,
    width: attemptsAtOnce(width, endAt),
  };
}

describe("the limit of concurrent attempts", () => {
  test("rises to 32 for a receiver 50 ms away", () => {
    const { rate, width } = run(10, () => ({ outcome: "accepted", ms: 50 }));
    expect(width).toBe(attemptsAtOnceMax);
    expect(rate).toBeGreaterThan(600);
  });

  test("stays low for a receiver that handles one callback at a time, without losing rate", () => {
    let freeAt = 0;
    const { rate, widest } = run(30, (_, at) => {
      freeAt = Math.max(freeAt, at) + 40;
      return { outcome: "accepted", ms: freeAt - at };
    });
    expect(rate).toBeGreaterThan(24);
    expect(widest).toBeLessThanOrEqual(5);
  });

  test("settles near eight for a receiver that answers 429 above that, with one refusal in fourteen at most", () => {
    const { rate, refusedShare } = run(60, (n) =>
      n > 8 ? { outcome: "throttled", ms: 5 } : { outcome: "accepted", ms: 50 },
    );
    expect(rate).toBeGreaterThan(90);
    expect(refusedShare).toBeLessThan(0.07);
  });

  test("is two for a receiver that hangs, from its first time-out on", () => {
    const { widest, width } = run(60, (_, at) =>
      at < 2_000 ? { outcome: "accepted", ms: 20 } : { outcome: "no_answer", ms: 10_000 },
    );
    expect(widest).toBe(attemptsAtOnceMax);
    expect(width).toBe(attemptsAtFirst);
  });

  test("stays at two, as every webhook has, for a receiver that always takes three seconds", () => {
    const { width } = run(60, () => ({ outcome: "accepted", ms: 3_000 }));
    expect(width).toBe(attemptsAtFirst);
  });

  test("is two again for a slow receiver that answered 429 once", () => {
    for (const ms of [1_500, 3_000]) {
      const { width } = run(60, (_, at) => (at < 100 ? { outcome: "throttled", ms: 10 } : { outcome: "accepted", ms }));
      expect(width).toBe(attemptsAtFirst);
    }
  });

  test("rises again for a receiver that moved further away", () => {
    const { width } = run(1_200, (_, at) => ({ outcome: "accepted", ms: at < 1_000 ? 10 : 200 }));
    expect(width).toBe(attemptsAtOnceMax);
  });
});

test("the limit is forgotten after a minute without an answer, but not before a Retry-After is over", () => {
  let width = firstWidth;
  for (let at = 10; at < 1_000; at += 10) width = widthAfter(width, prompt(at));
  expect(attemptsAtOnce(widthAt(width, 60_000), 60_000)).toBe(attemptsAtOnceMax);
  expect(widthAt(width, 70_000)).toEqual(firstWidth);
  const held = widthAfter(width, { ...prompt(2_000), outcome: "throttled", retryAfterMs: 600_000 });
  expect(attemptsAtOnce(widthAt(held, 500_000), 500_000)).toBe(1);
  expect(widthAt(held, 602_001)).toEqual(firstWidth);
});
