/** Every valid form of Retry-After, and invalid ones. */
import { describe, expect, test } from "bun:test";
import { retryAfterMs } from "../../src/domain/retry-after.ts";

const now = Date.parse("2026-11-20T15:36:00Z");

describe("Retry-After", () => {
  test("is read as seconds", () => {
    expect(["0", "1", " 120 ", "007"].map((value) => retryAfterMs(value, now))).toEqual([0, 1_000, 120_000, 7_000]);
  });

  test("is read as an HTTP date in each of its three forms", () => {
    const dates = ["Fri, 20 Nov 2026 15:41:00 GMT", "Friday, 20-Nov-26 15:41:00 GMT", "Fri Nov 20 15:41:00 2026"];
    expect(dates.map((value) => retryAfterMs(value, now))).toEqual([300_000, 300_000, 300_000]);
    expect(retryAfterMs("Sun Nov  1 15:41:00 2026", now)).toBe(0);
  });

  test("in the past means no wait", () => {
    expect(retryAfterMs("Fri, 20 Nov 2020 15:41:00 GMT", now)).toBe(0);
  });

  test("is capped at an hour", () => {
    expect(["3599", "3600", "3601", "9".repeat(400)].map((value) => retryAfterMs(value, now))).toEqual([
      3_599_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
    expect(retryAfterMs("Fri, 20 Nov 2099 15:41:00 GMT", now)).toBe(3_600_000);
  });

  test("with an invalid value is ignored", () => {
    const nonsense = [
      "",
      " ",
      "-1",
      "1.5",
      "+5",
      "1e3",
      "0x10",
      "soon",
      "tomorrow 5",
      "5 s",
      "2026-11-20T15:41:00Z",
      "Fri, 32 Nov 2026 25:61:00 GMT",
      "120, 60",
    ];
    expect([null, ...nonsense].filter((value) => retryAfterMs(value, now) !== null)).toEqual([]);
  });
});
