/** Texts as octets on the wire and back: the GSM 7-bit alphabet of 3GPP TS 23.038 and big-endian UCS-2. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import {
  decodeGsm7,
  encodeGsm7,
  encodeUcs2,
  measureText,
  NotInAlphabetError,
  splitText,
} from "../../src/domain/text.ts";
import { anyText, gsmText } from "../support/texts.ts";

const ucs2 = new TextDecoder("utf-16be", { ignoreBOM: true });
const octets = (...values: number[]) => new Uint8Array(values);

describe("the GSM 7-bit alphabet", () => {
  test("has the septets of the standard's tables", () => {
    expect(encodeGsm7("@£$Δ_ \nÆé")).toEqual(octets(0, 1, 2, 0x10, 0x11, 0x20, 0x0a, 0x1c, 0x05));
    expect(encodeGsm7("AZaz09¡¿ÄÖÑÜ§äöñüà")).toEqual(
      octets(
        0x41,
        0x5a,
        0x61,
        0x7a,
        0x30,
        0x39,
        0x40,
        0x60,
        0x5b,
        0x5c,
        0x5d,
        0x5e,
        0x5f,
        0x7b,
        0x7c,
        0x7d,
        0x7e,
        0x7f,
      ),
    );
  });

  test("has ten extension characters, each after an escape", () => {
    const table = {
      "\f": 0x0a,
      "^": 0x14,
      "{": 0x28,
      "}": 0x29,
      "\\": 0x2f,
      "[": 0x3c,
      "~": 0x3d,
      "]": 0x3e,
      "|": 0x40,
      "€": 0x65,
    };
    for (const [character, septet] of Object.entries(table)) {
      expect(encodeGsm7(character)).toEqual(octets(0x1b, septet));
      expect(decodeGsm7(octets(0x1b, septet))).toBe(character);
    }
  });

  test("decodes every septet except the escape to its own character, and encodes it back", () => {
    const characters = new Set<string>();
    for (let septet = 0; septet < 128; septet += 1) {
      if (septet === 0x1b) continue;
      const character = decodeGsm7(octets(septet));
      characters.add(character);
      expect(encodeGsm7(character)).toEqual(octets(septet));
    }
    expect(characters.size).toBe(127);
  });

  test("decodes invalid sequences as the standard tells a receiver to", () => {
    expect(decodeGsm7(octets(0x1b))).toBe(" ");
    expect(decodeGsm7(octets(0x1b, 0x1b, 0x41))).toBe(" A");
    expect(decodeGsm7(octets(0x1b, 0x41))).toBe("A");
    expect(decodeGsm7(octets(0xc1))).toBe("A");
    fc.assert(fc.property(fc.uint8Array(), (any) => expect(decodeGsm7(any).length).toBeLessThanOrEqual(any.length)));
  });

  test("decodes every text it encoded, with the same octets as sms-segments-calculator", () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const encoded = encodeGsm7(text);
        expect(decodeGsm7(encoded)).toBe(text);
        expect([...encoded]).toEqual(
          new SegmentedMessage(text, "GSM-7").encodedChars.flatMap((c) => c.codeUnits ?? []),
        );
      }),
      { numRuns: 60 },
    );
  });

  test("refuses an unknown character and reports its position", () => {
    for (const character of ["س", "ç", "`", "😀", "\u001b", "\u20ad"]) {
      expect(() => encodeGsm7(`ab${character}`)).toThrow(new NotInAlphabetError(2));
    }
  });
});

describe("UCS-2", () => {
  test("is big-endian", () => {
    expect(encodeUcs2("سa")).toEqual(octets(0x06, 0x33, 0x00, 0x61));
  });

  test("is what a decoder reads as the same well-formed text, a byte order mark included", () => {
    expect(ucs2.decode(encodeUcs2("\ufeffa"))).toBe("\ufeffa");
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => expect(ucs2.decode(encodeUcs2(text))).toBe(text)));
  });
});

test("the parts of any text fit into 140 octets with their headers, and decode to the text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { encoding } = measureText(text);
      const parts = splitText(text, { encoding });
      const headerOctets = parts.length > 1 ? 6 : 0;
      const decoded = parts.map((part) => {
        const wire = encoding === "Latin" ? encodeGsm7(part) : encodeUcs2(part);
        const wireOctets = encoding === "Latin" ? Math.ceil((wire.length * 7) / 8) : wire.length;
        expect(wireOctets + headerOctets).toBeLessThanOrEqual(140);
        return encoding === "Latin" ? decodeGsm7(wire) : ucs2.decode(wire);
      });
      expect(decoded.join("")).toBe(text);
    }),
    { numRuns: 300 },
  );
});
