/** Merging sorted runs gives everything in order. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mergeSorted } from "../../src/platform/merge-sorted.ts";

test("sorted runs are merged in order, and equal entries in the order of the runs", () => {
  const run = fc.array(fc.integer({ min: 0, max: 20 })).map((numbers) => numbers.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 9 }), (runs) => {
      const named = runs.map((numbers, order) => numbers.map((number) => ({ number, order })));
      const merged = [...mergeSorted(named, (a, b) => a.number - b.number)];
      expect(merged).toEqual(named.flat().sort((a, b) => a.number - b.number || a.order - b.order));
    }),
  );
});
