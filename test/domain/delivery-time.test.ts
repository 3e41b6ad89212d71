/** Deliveries of a period, told by how long they took. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { deliveriesByLimit, deliveryTimeClass, deliveryTimeLimitsMs } from "../../src/domain/delivery-time.ts";

test("each delivery counts once, and no later than the limit after its own", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700_000_000 }), { maxLength: 50 }), (times) => {
      const classes = Map.groupBy(times, deliveryTimeClass);
      const counts = deliveriesByLimit(new Map([...classes].map(([one, all]) => [one, all.length])));
      expect(counts).toHaveLength(deliveryTimeLimitsMs.length + 1);
      expect(counts.every((count) => count >= 0)).toBe(true);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(times.length);
    }),
  );
});

test("a class that a limit divides is divided as if its deliveries were evenly spread", () => {
  expect(deliveriesByLimit(new Map())).toEqual([0, 0, 0, 0, 0, 0]);
  // From 800 to 1,131 ms: six of ten within a second.
  expect(deliveriesByLimit(new Map([[deliveryTimeClass(1_000), 10]]))).toEqual([6, 4, 0, 0, 0, 0]);
  expect(
    deliveriesByLimit(
      new Map([
        [deliveryTimeClass(500), 3],
        [deliveryTimeClass(60_000), 2],
      ]),
    ),
  ).toEqual([3, 0, 0, 0, 0, 2]);
});
