/** The filter before the index of keys: it may cause a needless read, but never denies an existing key. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { KeyFilter } from "../../src/store/key-filter.ts";

const fingerprint = fc.maxSafeNat();

/** A filter over an index that can be changed; counts how often the index is read. */
function over(stored: Set<number>, keyCount = stored.size) {
  const reads = { count: 0 };
  const filter = new KeyFilter(
    (from, before) => {
      reads.count += 1;
      return [...stored].filter((one) => one >= from && one < before);
    },
    () => keyCount,
  );
  return { filter, reads };
}

test("the filter contains earlier and added keys, whatever is removed meanwhile", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fingerprint),
      fc.uniqueArray(fingerprint),
      fingerprint,
      fingerprint,
      fc.constantFrom(1, 10_000_000, 1_000_000_000),
      (before, added, a, b, many) => {
        const stored = new Set(before);
        const { filter } = over(stored, before.length * many);
        for (const one of added) {
          stored.add(one);
          filter.add(one);
          filter.forget(Math.min(a, b), Math.max(a, b));
          filter.readSlice();
        }
        for (const one of stored) expect(filter.mayHold(one)).toBe(true);
      },
    ),
  );
});

test("the filter excludes almost all absent keys once the index is read, and reads each slice of it once", () => {
  const random = () => Math.floor(Math.random() * 2 ** 53);
  const { filter, reads } = over(new Set(Array.from({ length: 500 }, random)), 10 * 2 ** 14);
  const asked = Array.from({ length: 2_000 }, random);
  expect(asked.every((one) => filter.mayHold(one))).toBe(true);
  while (filter.readSlice());
  const slices = reads.count;
  expect(slices).toBe(10);
  const unsure = asked.filter((one) => filter.mayHold(one)).length;
  expect(unsure).toBeLessThan(20);
  expect([filter.readSlice(), reads.count]).toEqual([false, slices]);
});

test("the filter never reads an empty index", () => {
  const { filter, reads } = over(new Set());
  expect(filter.mayHold(1)).toBe(false);
  filter.add(1);
  expect([filter.mayHold(1), reads.count]).toEqual([true, 0]);
});

test("the filter drops removed keys when it forgets their section", () => {
  const stored = new Set([5, 2 ** 52]);
  const { filter } = over(stored, 2 ** 20);
  while (filter.readSlice());
  expect([filter.mayHold(5), filter.mayHold(2 ** 52)]).toEqual([true, true]);
  stored.clear();
  filter.forget(-1, 5);
  while (filter.readSlice());
  expect([filter.mayHold(5), filter.mayHold(2 ** 52)]).toEqual([false, true]);
});

test("the filter keeps what it contained if the disk refuses to be read again", () => {
  let refuses = false;
  const stored = [1, 2 ** 52];
  const filter = new KeyFilter(
    (from, before) => {
      if (refuses) throw new Error("refused");
      return stored.filter((one) => one >= from && one < before);
    },
    () => stored.length,
  );
  while (filter.readSlice());
  filter.forget(0, 2);
  refuses = true;
  expect(() => filter.readSlice()).toThrow("refused");
  expect(stored.map((one) => filter.mayHold(one))).toEqual([true, true]);
});
