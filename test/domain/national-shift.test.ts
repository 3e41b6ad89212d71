/** Septets by the national language shift tables of 3GPP TS 23.038, annex A. */
import { expect, test } from "bun:test";
import { lockingShiftTables } from "../../src/domain/national-locking-shift.ts";
import { singleShiftTables } from "../../src/domain/national-single-shift.ts";
import { decodeGsm7, isKnownShift } from "../../src/domain/text.ts";

const none = { locking: null, single: null };
const decoded = (octets: readonly number[], shift: Partial<typeof none | Record<"locking" | "single", number>>) =>
  decodeGsm7(Uint8Array.from(octets), { ...none, ...shift });
const everySeptet = Array.from({ length: 128 }, (_, septet) => septet);
const afterEscapes = (septets: readonly number[]) => septets.flatMap((septet) => [0x1b, septet]);

test("each table has 128 places, with Latin letters and digits where GSM's alphabet has them", () => {
  for (const table of [...lockingShiftTables.values(), ...singleShiftTables.values()]) expect(table).toHaveLength(128);
  for (const table of lockingShiftTables.values()) {
    expect(table.slice(0x30, 0x3a)).toBe("0123456789");
    expect(table.slice(0x61, 0x7b)).toBe("abcdefghijklmnopqrstuvwxyz");
    expect([table[0x0a], table[0x0d], table[0x20]]).toEqual(["\n", "\r", " "]);
    const characters = [...table].filter((character) => character !== " ");
    expect(new Set(characters).size).toBe(characters.length);
  }
  for (const table of singleShiftTables.values()) {
    expect([0x0a, 0x14, 0x28, 0x29, 0x2f, 0x3c, 0x3d, 0x3e, 0x40, 0x65].map((septet) => table[septet])).toEqual([
      ..."\f^{}\\[~]|€",
    ]);
  }
});

test("there are tables for the languages of the standard and for no other", () => {
  expect([...singleShiftTables.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect([...lockingShiftTables.keys()]).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  for (const reserved of [0, 14, 255]) {
    expect(isKnownShift({ locking: null, single: reserved })).toBe(false);
    expect(isKnownShift({ locking: reserved, single: null })).toBe(false);
  }
  expect(isKnownShift({ locking: 1, single: 13 })).toBe(true);
});

test.each([
  ["Turkish", 1, [0x04, 0x07, 0x0b, 0x0c, 0x1c, 0x1d, 0x40, 0x60], "€ıĞğŞşİç"],
  ["Portuguese", 3, [0x04, 0x06, 0x0b, 0x12, 0x15, 0x18, 0x1a, 0x40, 0x5b, 0x5c, 0x60, 0x7b, 0x7d], "êúÔª∞€|ÍÃÕ~ã`"],
  ["Hindi", 6, [0x28, 0x29, 0x2c, 0x00, 0x50], ")(,\u0901\u093e"],
  ["Urdu", 13, [0x00, 0x02, 0x05, 0x07, 0x1a, 0x2f, 0x3d, 0x47, 0x4f, 0x59, 0x5b, 0x7f], "ابپتدژسکنیے\u0670"],
] as const)("the %s locking shift table matches the standard", (_, locking, septets, text) => {
  expect(decoded(septets, { locking })).toBe(text);
});

test.each([
  ["Turkish", 1, [0x47, 0x49, 0x53, 0x63, 0x67, 0x69, 0x73, 0x65], "ĞİŞçğış€"],
  ["Spanish", 2, [0x09, 0x41, 0x49, 0x4f, 0x55, 0x61, 0x69, 0x6f, 0x75], "çÁÍÓÚáíóú"],
  ["Portuguese", 3, [0x05, 0x09, 0x0b, 0x0c, 0x0e, 0x0f, 0x1f, 0x41, 0x5b, 0x61, 0x7b, 0x7f], "êçÔôÁáÊÀÃÂãâ"],
  ["Urdu", 13, [0x1a + 2, 0x1d, 0x22, 0x26, 0x33, 0x41], "۰۱۶،؟A"],
] as const)("the %s single shift table matches the standard", (_, single, septets, text) => {
  expect(decoded(afterEscapes(septets), { single })).toBe(text);
});

test("a character missing from a single shift table comes from the locking table, or GSM's", () => {
  expect(decoded([0x1b, 0x07, 0x1b, 0x04], { single: 1, locking: 1 })).toBe("ı€");
  expect(decoded([0x1b, 0x07], { single: 1 })).toBe("ì");
  expect(decoded([0x1b, 0x47, 0x47], { locking: 1 })).toBe("GG");
  expect(decoded([0x41, 0x1b], { single: 1 })).toBe("A ");
});

test("an unknown shift changes nothing", () => {
  const all = [...everySeptet, ...afterEscapes(everySeptet)];
  expect(decoded(all, { single: 14, locking: 2 })).toBe(decoded(all, {}));
});
