/** The fast path to a mobile number gives the library's result, or nothing. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import parsePhoneNumber, { getCountries, getCountryCallingCode, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { plainMobileNumber } from "../../src/domain/mobile-plan.ts";

const regions = getCountries();

function theLongWay(digits: string, region: (typeof regions)[number]): string | null {
  const number = parsePhoneNumber(digits, { defaultCountry: region, extract: false });
  const type = number?.getType();
  return number !== undefined && (type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE") ? number.number : null;
}

/** Digits that are almost a mobile number of the region: an example whose tail was changed, cut or extended. */
const nearlyMobile = fc
  .tuple(
    fc.constantFrom(...regions),
    fc.stringMatching(/^\d{1,12}$/),
    fc.integer({ min: 0, max: 4 }),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([region, tail, kept, form]) => {
    const example = getExampleNumber(region, examples)?.nationalNumber ?? "912345678";
    const national = example.slice(0, kept) + tail;
    const prefix = ["", "0", `+${getCountryCallingCode(region)}`][form] ?? "";
    return { region, digits: prefix + national };
  });

test("the fast check of mobile numbers never contradicts the library, in any region", () => {
  fc.assert(
    fc.property(nearlyMobile, ({ region, digits }) => {
      const short = plainMobileNumber(digits, region);
      if (short !== null) expect(short).toBe(theLongWay(digits, region) ?? `none for ${digits} in ${region}`);
    }),
    { numRuns: 20_000 },
  );
});

test("the fast check knows all of Iran's mobile ranges, written nationally and internationally", () => {
  for (let range = 900; range <= 999; range += 1) {
    for (const rest of ["0000000", "1234567", "9999999", "5101234", "8801234", "9691234"]) {
      for (const digits of [`0${range}${rest}`, `+98${range}${rest}`]) {
        expect(plainMobileNumber(digits, "IR")).toBe(theLongWay(digits, "IR"));
      }
    }
  }
});

test("the fast check covers most regions that have a calling code of their own", () => {
  const short = regions.filter((region) => {
    const example = getExampleNumber(region, examples);
    return example !== undefined && plainMobileNumber(example.number, region) === example.number;
  });
  expect(short.length).toBeGreaterThan(80);
});
