/** Tracking codes sort by time, never repeat, and are recognised in one spelling only. */
import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { type CodeRandom, isTrackingCode, trackingCodes } from "../../src/domain/tracking-code.ts";

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const valueOfCode = (code: string) => [...code].reduce((sum, c) => sum * 32n + BigInt(alphabet.indexOf(c)), 0n);
const timeOf = (code: string) => Number(valueOfCode(code) >> 80n);

const cryptographic = { bytes: (count: number) => randomBytes(count) };
const filledWith = (octet: number) => ({ bytes: (count: number) => new Uint8Array(count).fill(octet) });

/** Repeatable bytes: SHA-256 of a seed and a counter. */
function seeded(seed: string) {
  let counter = 0;
  return {
    bytes(count: number) {
      const blocks = Array.from({ length: Math.ceil(count / 32) }, () =>
        createHash("sha256").update(`${seed}:${counter++}`).digest(),
      );
      return new Uint8Array(Buffer.concat(blocks)).slice(0, count);
    },
  };
}

/** The codes of a clock that shows these times, one code each. */
function codesAt(times: number[], random: CodeRandom = cryptographic): string[] {
  let index = 0;
  const codes = trackingCodes({ now: () => times[index++] ?? 0 }, random);
  return times.map(() => codes.next());
}

const isAscending = (codes: string[]) => codes.every((code, index) => index === 0 || code > (codes[index - 1] ?? ""));

describe("tracking codes", () => {
  test("ascend strictly, whatever the clock does", () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    const jumping = fc.array(fc.oneof(time, fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 })));
    fc.assert(
      fc.property(jumping, (times) => {
        const codes = codesAt(times);
        expect(codes.every(isTrackingCode)).toBe(true);
        expect(isAscending(codes)).toBe(true);
      }),
    );
  });

  test("carry the latest time that the clock has shown", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 })), (times) => {
        let latest = 0;
        for (const [index, code] of codesAt(times).entries()) {
          latest = Math.max(latest, times[index] ?? 0);
          expect(timeOf(code)).toBe(latest);
        }
      }),
    );
  });

  test("contain all 80 random bits except the top one, as drawn", () => {
    const random = seeded("bits");
    const drawn = seeded("bits").bytes(1280).slice(0, 10);
    const [code] = codesAt([1_700_000_000_000], random);
    drawn[0] = (drawn[0] ?? 0) & 0x7f;
    const expected = BigInt(`0x${Buffer.from(drawn).toString("hex")}`);
    expect(valueOfCode(code ?? "") & (2n ** 80n - 1n)).toBe(expected);
  });

  test("count up within a millisecond, with a carry into the upper half", () => {
    const codes = codesAt([5, 5, 5], filledWith(0xff));
    const [first, second, third] = codes.map(valueOfCode);
    expect(second).toBe((first ?? 0n) + 1n);
    expect(third).toBe((first ?? 0n) + 2n);
    expect(codes).toEqual(["0000000005FZZZZZZZZZZZZZZZ", "0000000005G000000000000000", "0000000005G000000000000001"]);
  });

  test("have the shape of a ULID at both ends of time", () => {
    expect(codesAt([0], filledWith(0))).toEqual(["00000000000000000000000000"]);
    expect(codesAt([2 ** 48 - 1], filledWith(0xff))).toEqual(["7ZZZZZZZZZFZZZZZZZZZZZZZZZ"]);
    for (const time of [-1, 2 ** 48, Number.NaN]) expect(() => codesAt([time])).toThrow(RangeError);
  });

  test("do not repeat in fifty thousand drawn in bursts, nor between two sources at one moment", () => {
    const times = Array.from({ length: 25_000 }, (_, index) => 1_700_000_000_000 + Math.floor(index / 40));
    const codes = [...codesAt(times, seeded("one")), ...codesAt(times, seeded("two"))];
    expect(new Set(codes).size).toBe(50_000);
  });

  test("draw their randomness in blocks", () => {
    let draws = 0;
    const counting: CodeRandom = {
      bytes(count) {
        draws += 1;
        return randomBytes(count);
      },
    };
    codesAt(
      Array.from({ length: 1_280 }, (_, index) => index),
      counting,
    );
    expect(draws).toBe(10);
  });
});

describe("a lookup by tracking code", () => {
  const code = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  test("accepts the canonical form alone", () => {
    expect(isTrackingCode(code)).toBe(true);
    expect(isTrackingCode("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")).toBe(true);
    const others = ["", code.toLowerCase(), code.slice(1), `${code}0`, `8${code.slice(1)}`, `${code}\n`, ` ${code}`];
    for (const other of others) expect(isTrackingCode(other)).toBe(false);
    for (const letter of "ILOU-é０") expect(isTrackingCode(code.slice(0, 25) + letter)).toBe(false);
  });
});
