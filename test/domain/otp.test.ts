/** Codes are uniform, read as people type them, and limited at both edges. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs, drawCode, isOwnCode, maskedCode, readCode, type SendLimits, sendWaitMs } from "../../src/domain/otp.ts";
import { systemRandom } from "../../src/platform/random.ts";

describe("drawing a code", () => {
  test("gives exactly as many digits as requested, whatever bytes the generator yields", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 10 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
        (length, stream) => {
          const code = drawCode(length, (count) =>
            Uint8Array.from(Array.from({ length: count }, () => stream.next().value)),
          );
          expect(code).toMatch(new RegExp(`^[0-9]{${length}}$`));
        },
      ),
      // A stream of only rejected bytes does not end, and no generator produces one.
      { numRuns: 200, examples: [] },
    );
  });

  test("uses each digit equally often, and draws the six bytes again that would favour low digits", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      let first = true;
      const code = drawCode(1, () => {
        const drawn = first ? byte : 9;
        first = false;
        return Uint8Array.of(drawn);
      });
      if (byte >= 250) expect(code).toBe("9");
      else counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 10 }, () => 25));
  });

  test("is even over many codes", () => {
    const digits = drawCode(100_000, systemRandom.bytes);
    for (const digit of "0123456789") {
      const share = digits.split(digit).length - 1;
      // Five standard deviations: once in a million runs.
      expect(Math.abs(share - 10_000)).toBeLessThan(500);
    }
  });
});

describe("reading a code", () => {
  test("accepts Persian and Arabic digits, spaces, dashes and direction marks", () => {
    for (const typed of ["123456", "۱۲۳۴۵۶", "١٢٣٤٥٦", " 123 456 ", "123-456", "\u200e123456\u200f", "۱۲۳ ٤٥٦"]) {
      expect(readCode(typed)).toBe("123456");
    }
    expect(readCode("12345")).not.toBe("123456");
  });

  test("accepts 4 to 10 letters or digits as a customer's own code", () => {
    for (const code of ["1234", "ABCD12", "۱۲۳۴", "1234567890", "کدشما"]) expect(isOwnCode(code)).toBe(true);
    for (const code of ["", "123", "12345678901", "12 34", "12-34", "12.4", "\u0000123", "12\n34"]) {
      expect(isOwnCode(code)).toBe(false);
    }
  });

  test("masks each character with a star", () => {
    expect(maskedCode("12345")).toBe("*****");
    expect(maskedCode("۱۲۳۴")).toBe("****");
  });
});

describe("the wait before the next code", () => {
  const limits: SendLimits = { resendMs: 60_000, perHour: 5, perDay: 10 };
  const now = Date.UTC(2026, 10, 20);
  const ago = (...minutes: number[]) => minutes.map((minute) => now - minute * 60_000);

  test("is none for the first code, and a minute after the previous one, to the millisecond", () => {
    expect(sendWaitMs([], limits, now)).toBe(0);
    expect(sendWaitMs([now], limits, now)).toBe(60_000);
    expect(sendWaitMs([now - 59_999], limits, now)).toBe(1);
    expect(sendWaitMs([now - 60_000], limits, now)).toBe(0);
  });

  test("allows five codes an hour and ten a day, counted back from now", () => {
    expect(sendWaitMs(ago(10, 20, 30, 40), limits, now)).toBe(0);
    expect(sendWaitMs(ago(10, 20, 30, 40, 50), limits, now)).toBe(10 * 60_000);
    expect(sendWaitMs(ago(10, 20, 30, 40, 60), limits, now)).toBe(0);
    const tenToday = ago(10, 20, 30, 40, 120, 180, 240, 300, 360, 600);
    expect(sendWaitMs(tenToday, limits, now)).toBe(dayMs - 600 * 60_000);
    expect(sendWaitMs([...tenToday.slice(0, 9), now - dayMs], limits, now)).toBe(0);
  });

  test("suffices exactly: a client that waits as told is served, and a moment earlier it is refused", () => {
    const past = fc.array(fc.integer({ min: 0, max: 2 * dayMs }), { maxLength: 30 });
    fc.assert(
      fc.property(past, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 12 }), (offsets, perHour, perDay) => {
        const sent = offsets.map((offset) => now - offset).sort((a, b) => b - a);
        const own = { resendMs: 60_000, perHour, perDay };
        const wait = sendWaitMs(sent, own, now);
        expect(sendWaitMs(sent, own, now + wait)).toBe(0);
        if (wait > 0) expect(sendWaitMs(sent, own, now + wait - 1)).toBe(1);
      }),
    );
  });

  test("is never longer than the window after a clock was set back", () => {
    expect(sendWaitMs([now + 5 * dayMs], limits, now)).toBe(60_000);
  });
});
