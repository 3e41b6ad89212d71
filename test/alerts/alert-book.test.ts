/** When operators are notified of an alert: not before it has lasted a while, once a day, and when it is over. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AlertBook } from "../../src/alerts/alert-book.ts";
import type { AlertCondition } from "../../src/alerts/alert-conditions.ts";
import { alertsOf } from "../../src/alerts/notice.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function condition(change: Partial<AlertCondition> = {}): AlertCondition {
  const rest = {
    severity: "page" as const,
    holdMs: 3 * minuteMs,
    windowMs: 0,
    everyMs: 0,
    isOfRoute: true,
    find: () => [],
  };
  return { name: "RouteDown", ...rest, ...change };
}
const down = { subject: "a", words: "Route a is down", todo: "peyk route test a" };

describe("an alert", () => {
  test("fires once its condition has lasted as long as the hold, and only once", () => {
    const book = new AlertBook([], 0);
    for (const at of [0, 1, 2].map((minutes) => minutes * minuteMs)) {
      book.update(condition(), [down], at);
      expect(book.due(at).fired).toEqual([]);
    }
    book.update(condition(), [down], 3 * minuteMs);
    const due = book.due(3 * minuteMs);
    expect(due.fired).toMatchObject([{ condition: "RouteDown", subject: "a", since: 0, todo: "peyk route test a" }]);
    book.told(due, 3 * minuteMs);
    book.update(condition(), [down], 4 * minuteMs);
    expect(alertsOf(book.due(4 * minuteMs))).toEqual([]);
  });

  test("fires again after a day, and resolves once its condition has been gone for two minutes", () => {
    const book = new AlertBook([], 0);
    const hasty = condition({ holdMs: 0 });
    book.update(hasty, [down], 0);
    book.told(book.due(0), 0);
    book.update(hasty, [down], dayMs - 1);
    expect(book.due(dayMs - 1).again).toEqual([]);
    book.update(hasty, [down], dayMs);
    expect(book.due(dayMs).again).toHaveLength(1);
    book.told(book.due(dayMs), dayMs);
    book.update(hasty, [], dayMs + minuteMs);
    book.update(hasty, [down], dayMs + 2 * minuteMs);
    book.update(hasty, [], dayMs + 3 * minuteMs);
    book.update(hasty, [], dayMs + 4 * minuteMs);
    expect(book.due(dayMs + 4 * minuteMs).resolved).toEqual([]);
    const due = book.due(dayMs + 5 * minuteMs);
    expect(due.resolved).toHaveLength(1);
    book.told(due, dayMs + 5 * minuteMs);
    expect(book.all()).toEqual([]);
  });

  test("whose condition ends before the hold is over never fires", () => {
    const book = new AlertBook([], 0);
    book.update(condition(), [down], 0);
    book.update(condition(), [], minuteMs);
    expect(book.all()).toEqual([]);
  });

  test("fires for each subject on its own, and another condition does not affect it", () => {
    const book = new AlertBook([], 0);
    const hasty = condition({ holdMs: 0 });
    book.update(hasty, [down, { ...down, subject: "b" }], 0);
    book.told(book.due(0), 0);
    book.update(condition({ name: "DiskFull" }), [], 10 * minuteMs);
    book.update(hasty, [down], 10 * minuteMs);
    expect(book.due(12 * minuteMs).resolved.map(({ subject }) => subject)).toEqual(["b"]);
  });

  test("on a rate does not resolve just because a restart lost the earlier figures", () => {
    const rate = condition({ holdMs: 0, windowMs: 10 * minuteMs });
    const before = new AlertBook([], 0);
    before.update(rate, [down], 0);
    before.told(before.due(0), 0);
    const after = new AlertBook(JSON.parse(JSON.stringify(before.all())), minuteMs);
    after.update(rate, [], 5 * minuteMs);
    after.update(rate, [down], 9 * minuteMs);
    expect(alertsOf(after.due(9 * minuteMs))).toEqual([]);
    after.update(rate, [], 12 * minuteMs);
    expect(after.due(14 * minuteMs).resolved).toHaveLength(1);
  });
});

test("in any sequence, an alert fires after its hold, at most once a day, and never resolves without having fired", () => {
  const steps = fc.array(fc.record({ minutes: fc.integer({ min: 1, max: 400 }), stands: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.boolean(), (path, restarts) => {
      let book = new AlertBook([], 0);
      let now = 0;
      let stoodSince: number | null = null;
      let toldAt: number | null = null;
      for (const { minutes, stands } of path) {
        now += minutes * minuteMs;
        if (restarts) book = new AlertBook(JSON.parse(JSON.stringify(book.all())), now);
        book.update(condition(), stands ? [down] : [], now);
        if (stands) stoodSince ??= now;
        const due = book.due(now);
        for (const _ of due.fired) {
          expect(toldAt).toBeNull();
          expect(now - (stoodSince ?? now)).toBeGreaterThanOrEqual(3 * minuteMs);
        }
        for (const _ of due.again) expect(now - (toldAt ?? now)).toBeGreaterThanOrEqual(dayMs);
        for (const _ of due.resolved) expect(toldAt).not.toBeNull();
        if (due.fired.length + due.again.length > 0) toldAt = now;
        if (due.resolved.length > 0) toldAt = null;
        book.told(due, now);
        if (!stands && toldAt === null) stoodSince = null;
        expect(book.all().length).toBeLessThanOrEqual(1);
      }
    }),
  );
});
