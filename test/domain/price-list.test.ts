/** The price of a number: that of the longest valid prefix. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type PriceLine, PriceList } from "../../src/domain/price-list.ts";

const prefix = fc.constantFrom("", "9", "98", "989", "9891", "98912", "98935", "1", "49");
const line: fc.Arbitrary<PriceLine> = fc.record({
  prefix,
  validFrom: fc.integer({ min: 0, max: 20 }),
  amount: fc.integer({ min: 0, max: 1_000 }),
});
const lines = fc.uniqueArray(line, { selector: ({ prefix: of, validFrom }) => `${of} ${validFrom}`, maxLength: 20 });
const recipient = fc.constantFrom("+989121234567", "+989351234567", "+491701234567", "+12025550123", "+77012345678");

/** A second implementation: all valid lines, the longest prefix first, then the latest. */
function expected(all: readonly PriceLine[], to: string, at: number): PriceLine | undefined {
  const valid = all.filter((one) => to.startsWith(`+${one.prefix}`) && one.validFrom <= at);
  return valid.sort((a, b) => b.prefix.length - a.prefix.length || b.validFrom - a.validFrom)[0];
}

test("the longest valid prefix decides the price, and among its lines the latest", () => {
  fc.assert(
    fc.property(lines, recipient, fc.integer({ min: 0, max: 21 }), (all, to, at) => {
      expect(new PriceList(all).lineFor(to, at)).toEqual(expected(all, to, at) ?? null);
    }),
    { numRuns: 2_000 },
  );
});
