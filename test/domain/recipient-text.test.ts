import { expect, test } from "bun:test";
import fc from "fast-check";
import { withoutNumber } from "../../src/domain/recipient-text.ts";

const change = withoutNumber("+989121239876");

test("a number is removed from a text in any spelling, and nothing else is", () => {
  const spellings = [
    "+989121239876",
    "00989121239876",
    "09121239876",
    "۰۹۱۲ ۱۲۳ ۹۸۷۶",
    "(0912) 123-98-76",
    "٩١٢١٢٣٩٨٧٦",
  ];
  for (const spelling of spellings) expect(change(`to ${spelling}, now`)).toMatch(/^to \(?\(erased\), now$/);
  for (const other of ["+989121239877", "acc_1", "2026-11-21T12:12:39.876Z"]) expect(change(other)).toBe(other);
  expect(change('{"number":"+989121239876","note":"x"}')).toBe('{"number":"(erased)","note":"x"}');
});

test("the last nine digits of a number never stay together, whatever surrounds it", () => {
  const around = fc.string({ unit: fc.constantFrom(..."0123456789 +-x۰۱"), maxLength: 12 });
  fc.assert(
    fc.property(around, around, (before, after) => !change(`${before}09121239876${after}`).includes("121239876")),
  );
});
