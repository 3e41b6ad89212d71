/** Waits grow as promised, stay within their bounds, and end where they must. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  bindRefusedDelayMs,
  callbackDelayMs,
  reconnectDelayMs,
  submitRetryDelayMs,
} from "../../src/domain/retry-schedule.ts";

const middle = 0.5;
const almostOne = 1 - Number.EPSILON;
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const second = 1_000;

describe("the wait before a retry", () => {
  test("doubles from 5 s to 15 min for a message", () => {
    const seconds = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900];
    expect(attempts.map((attempt) => submitRetryDelayMs(attempt, middle))).toEqual(seconds.map((s) => s * second));
  });

  test("follows the published schedule for a callback, with eight attempts in all", () => {
    const seconds = [10, 30, 120, 480, 1_800, 3_600, 3_600];
    expect(attempts.slice(0, 7).map((attempt) => callbackDelayMs(attempt, middle))).toEqual(
      seconds.map((s) => s * second),
    );
    expect(callbackDelayMs(8, middle)).toBeNull();
    expect(callbackDelayMs(1_000, middle)).toBeNull();
  });

  test("doubles from 1 s to 60 s for a reconnection", () => {
    const seconds = [1, 2, 4, 8, 16, 32, 60, 60, 60, 60];
    expect(attempts.map((attempt) => reconnectDelayMs(attempt, middle))).toEqual(seconds.map((s) => s * second));
  });

  test("doubles from 5 s to 5 min for a refused bind", () => {
    const seconds = [5, 10, 20, 40, 80, 160, 300, 300, 300, 300];
    expect(attempts.map((attempt) => bindRefusedDelayMs(attempt, middle))).toEqual(seconds.map((s) => s * second));
  });
});

const schedules = { submitRetryDelayMs, callbackDelayMs, reconnectDelayMs, bindRefusedDelayMs };

describe.each(Object.entries(schedules))("%s", (_, delayMs) => {
  test("varies by a fifth in either direction, and no further", () => {
    for (const attempt of attempts.slice(0, 7)) {
      const centre = delayMs(attempt, middle) ?? Number.NaN;
      expect(delayMs(attempt, 0)).toBe(centre * 0.8);
      expect(delayMs(attempt, almostOne)).toBe(centre * 1.2);
    }
  });

  test("gives whole milliseconds that grow with the random fraction, however late the attempt", () => {
    const fraction = fc.double({ min: 0, max: almostOne, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fraction, fraction, (attempt, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((each) => delayMs(attempt, each));
        if (low === null || high === null || low === undefined || high === undefined) {
          expect(attempt).toBeGreaterThanOrEqual(8);
          return;
        }
        expect(Number.isSafeInteger(low)).toBe(true);
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });
});
