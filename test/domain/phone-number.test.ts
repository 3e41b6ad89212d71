/** One person, one number: every spelling that people use, and texts that are not mobile numbers. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import {
  latinDigits,
  nationalNumber,
  normaliseAddress,
  parseMobileNumber,
  UnknownRegionError,
} from "../../src/domain/phone-number.ts";

const inDigitsFrom = (zero: number) => (text: string) =>
  text.replace(/[0-9]/g, (digit) => String.fromCharCode(zero + Number(digit)));
const persian = inDigitsFrom(0x06f0);
const arabic = inDigitsFrom(0x0660);

const subscriber = fc.tuple(
  fc.constantFrom("910", "911", "912", "919", "901", "930", "935", "939", "990", "991"),
  fc.integer({ min: 0, max: 9_999_999 }).map((number) => String(number).padStart(7, "0")),
);

const spellings = ([prefix, rest]: [string, string]) => {
  const [three, two, last] = [rest.slice(0, 3), rest.slice(3, 5), rest.slice(5)];
  return [
    `0${prefix}${rest}`,
    `${prefix}${rest}`,
    `+98${prefix}${rest}`,
    `0098${prefix}${rest}`,
    `98${prefix}${rest}`,
    `+98 ${prefix} ${three} ${two}${last}`,
    `+98 (0)${prefix} ${three} ${two} ${last}`,
    `0${prefix}-${three}-${two}${last}`,
    `(0${prefix}) ${three}.${two}.${last}`,
    ` 0${prefix}\u00a0${rest} `,
    `\u200e+98${prefix}${rest}\u200f`,
    `\u2068+98 ${prefix}\u2011${rest}\u2069`,
  ];
};

describe("a mobile number", () => {
  test("is the same in every spelling and with every kind of digits", () => {
    fc.assert(
      fc.property(subscriber, (parts) => {
        const e164 = `+98${parts.join("")}`;
        for (const spelling of spellings(parts)) {
          for (const digits of [latinDigits, persian, arabic]) {
            expect(parseMobileNumber(digits(spelling), "IR")).toBe(e164);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("is recognized for every region, written internationally or nationally", () => {
    const refused: string[] = [];
    for (const region of getCountries()) {
      const example = getExampleNumber(region, examples);
      if (example === undefined) continue;
      const international = parseMobileNumber(example.formatInternational(), "IR");
      const national = parseMobileNumber(example.formatNational(), region);
      if (international !== example.number || national !== example.number) refused.push(region);
    }
    expect(refused).toEqual([]);
  });

  test("may share its range with fixed lines, as in North America", () => {
    expect(parseMobileNumber("+1 201-555-0123", "IR")).toBe("+12015550123");
  });

  const none = {
    "an empty text": "",
    "spaces alone": "   ",
    "a plus alone": "+",
    "a fixed line": "02188776655",
    "a service line": "30001234",
    "an emergency number": "110",
    "a free line": "+1 800 555 0123",
    "one digit short": "0912123456",
    "one digit long": "091212345678",
    "a calling code that nobody has": "+999121234567",
    letters: "0912CALLNOW",
    "a number in a sentence": "call 09121234567",
    "an extension": "09121234567 ext. 12",
    "an extension in a URI": "+989121234567;ext=12",
    "a second plus": "++989121234567",
    "a plus inside": "0912+1234567",
    "a comma": "09121234567,09121234568",
    "a line break and more": "09121234567\n09121234568",
    "a NUL": "09121234567\u0000",
    "no end": "0".repeat(100_000),
  };
  test.each(Object.entries(none))("is not %s", (_, input) => {
    expect(parseMobileNumber(input, "IR")).toBeNull();
  });

  test("is read from any text as E.164 that parses to itself, or not at all", () => {
    const noise = fc.string({ unit: fc.constantFrom(..."+0123456789 -()۰۹a.") });
    fc.assert(
      fc.property(noise, (input) => {
        const number = parseMobileNumber(input, "IR");
        if (number === null) return;
        expect(number).toMatch(/^\+[1-9][0-9]{5,14}$/);
        expect(parseMobileNumber(number, "US")).toBe(number);
      }),
    );
  });

  test("requires an existing region", () => {
    expect(() => parseMobileNumber("09121234567", "ZZ")).toThrow(UnknownRegionError);
    expect(() => parseMobileNumber("09121234567", "ir")).toThrow(UnknownRegionError);
  });
});

describe("the national spelling", () => {
  test("is what people dial at home, and E.164 for a number from abroad", () => {
    expect(nationalNumber("+989121234567", "IR")).toBe("09121234567");
    expect(nationalNumber("+447400123456", "IR")).toBe("+447400123456");
    expect(nationalNumber("+12015550123", "US")).toBe("2015550123");
    expect(nationalNumber("+15062345678", "US")).toBe("+15062345678");
  });

  test("is read back as the same number", () => {
    fc.assert(
      fc.property(subscriber, (parts) => {
        const e164 = `+98${parts.join("")}`;
        expect(parseMobileNumber(nationalNumber(e164, "IR"), "IR")).toBe(e164);
      }),
    );
  });
});

describe("an inbound address", () => {
  test("is E.164 if it is a valid number of any type, with or without its plus", () => {
    for (const input of ["989121234567", "09121234567", "+989121234567", "۰۹۱۲ ۱۲۳ ۴۵۶۷"]) {
      expect(normaliseAddress(input, "IR")).toBe("+989121234567");
    }
    expect(normaliseAddress("02188776655", "IR")).toBe("+982188776655");
  });

  test("is its digits if it is a short code or a line outside the numbering plan", () => {
    expect(normaliseAddress("۳۰۰۰ ۱۲۳۴", "IR")).toBe("30001234");
    expect(normaliseAddress("+98 3000 1234", "IR")).toBe("30001234");
    expect(normaliseAddress("+4430001", "IR")).toBe("+4430001");
    for (const short of ["110", "9990", "96308", "20-00"]) {
      expect(normaliseAddress(short, "IR")).toBe(short.replace("-", ""));
    }
  });

  test("stays unchanged if it is a name", () => {
    for (const name of ["BANK MELLI", "Peyk-24", "بانک", ""]) expect(normaliseAddress(` ${name} `, "IR")).toBe(name);
  });

  test("does not change when normalized again", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 13 });
    const start = fc.constantFrom("", "+", "0", "00", "+98", "98", "0098", "+0", "+00", "+98098", "+1", "001", "+44");
    const input = fc.oneof(
      fc.string(),
      fc.tuple(start, digits).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(input, (address) => {
        const once = normaliseAddress(address, "IR");
        expect(normaliseAddress(once, "IR")).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("Persian and Arabic digits are read as digits, and nothing else changes", () => {
  expect(latinDigits("کد ۰۱۲۳۴۵۶۷۸۹ ٠١٢٣٤٥٦٧٨٩ x9")).toBe("کد 0123456789 0123456789 x9");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const other = (value: string) => value.replace(/[0-9۰-۹٠-٩]/g, "");
      expect(other(latinDigits(text))).toBe(other(text));
      expect(latinDigits(latinDigits(text))).toBe(latinDigits(text));
    }),
  );
});
