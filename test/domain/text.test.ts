/** The size of a text: encoding, characters and parts, compared with independent rules and a public calculator. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import {
  codePointLength,
  isCleanText,
  measureText,
  NotInAlphabetError,
  septetPartSizesUdh16,
  splitText,
  unitPartSizesUdh16,
} from "../../src/domain/text.ts";
import { anyText, gsmText, persianText } from "../support/texts.ts";

const septetsOf = (text: string) => [...text].reduce((sum, c) => sum + ("^{}\\[~]|€\f".includes(c) ? 2 : 1), 0);
const sizeOf = (text: string, latin: boolean) => (latin ? septetsOf(text) : text.length);
const repeated = (unit: string, count: number) => unit.repeat(count);

describe("the encoding of a text", () => {
  test("is Latin if the GSM alphabet has all characters, Persian with an Arabic-script letter, else Unicode", () => {
    expect(measureText("Hello €5 {ok}").encoding).toBe("Latin");
    for (const text of ["سلام", "code: س", "😀 س"]) expect(measureText(text).encoding).toBe("Persian");
    for (const text of ["`", "ç", "Ж", "中", "😀 hi"]) expect(measureText(text).encoding).toBe("Unicode");
  });

  test("is Unicode for Persian digits and punctuation alone, which are not letters", () => {
    for (const text of ["۱۲۳۴", "١٢٣", "؟", "،", "\u200c", "َ"]) expect(measureText(text).encoding).toBe("Unicode");
  });

  test("is Persian for exactly the letters that Unicode assigns to the Arabic script, in every plane", () => {
    const letter = /^[\p{Script=Arabic}&&\p{L}]$/v;
    const wrong: string[] = [];
    for (let point = 0; point <= 0x1ffff; point += 1) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const text = String.fromCodePoint(point);
      if ((measureText(text).encoding === "Persian") !== letter.test(text)) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

describe("the parts of a text", () => {
  const edges: [string, number, string][] = [
    ["a", 160, "a"],
    ["€", 80, "a"],
    ["س", 70, "a"],
    ["😀", 35, "a"],
  ];
  test.each(edges)("a single part holds %s %i times, and one more character makes two parts", (unit, most, extra) => {
    expect(measureText(repeated(unit, most)).partCount).toBe(1);
    expect(measureText(repeated(unit, most) + extra).partCount).toBe(2);
  });

  const longEdges: [string, number, number][] = [
    ["a", 153, 2],
    ["€", 76, 2],
    ["س", 67, 2],
    ["😀", 33, 2],
  ];
  test.each(longEdges)("each of several parts holds %s %i times", (unit, perPart, parts) => {
    expect(splitText(repeated(unit, perPart * parts), { encoding: measureText(unit).encoding })[0]).toBe(
      repeated(unit, perPart),
    );
    expect(measureText(repeated(unit, perPart * parts)).partCount).toBe(parts);
    expect(measureText(repeated(unit, perPart * parts + 1)).partCount).toBe(parts + 1);
  });

  test("an escape pair moves to the next part as a whole", () => {
    const parts = splitText(`${repeated("a", 152)}€${repeated("b", 20)}`, { encoding: "Latin" });
    expect(parts).toEqual([repeated("a", 152), `€${repeated("b", 20)}`]);
  });

  test("a surrogate pair moves to the next part as a whole", () => {
    const parts = splitText(`${repeated("س", 66)}😀${repeated("م", 10)}`, { encoding: "Persian" });
    expect(parts).toEqual([repeated("س", 66), `😀${repeated("م", 10)}`]);
  });

  test("an empty text is one empty part", () => {
    expect(measureText("")).toEqual({ encoding: "Latin", characterCount: 0, partCount: 1 });
    expect(splitText("", { encoding: "Latin" })).toEqual([""]);
  });

  test("joined parts are the text, none is too long or too short, and their number is as measured", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, partCount } = measureText(text);
        const latin = encoding === "Latin";
        const parts = splitText(text, { encoding });
        expect(parts.join("")).toBe(text);
        expect(parts.length).toBe(partCount);
        const sizeMax = parts.length === 1 ? (latin ? 160 : 70) : latin ? 153 : 67;
        for (const [index, part] of parts.entries()) {
          expect(sizeOf(part, latin)).toBeLessThanOrEqual(sizeMax);
          expect(part.isWellFormed()).toBe(true);
          const following = [...(parts[index + 1] ?? "")][0];
          if (following !== undefined) expect(sizeOf(part + following, latin)).toBeGreaterThan(sizeMax);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("other part sizes work as well: those of a 16-bit reference, and any that a pair fits into", () => {
    expect(splitText(repeated("a", 161), { encoding: "Latin", ...septetPartSizesUdh16 })).toEqual([
      repeated("a", 152),
      repeated("a", 9),
    ]);
    expect(splitText(repeated("س", 71), { encoding: "Persian", ...unitPartSizesUdh16 })[0]).toBe(repeated("س", 66));
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 80 }), (text, partMax) => {
        const { encoding } = measureText(text);
        const parts = splitText(text, { encoding, singleMax: partMax, partMax });
        expect(parts.join("")).toBe(text);
        for (const part of parts) {
          expect(sizeOf(part, encoding === "Latin")).toBeLessThanOrEqual(partMax);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test("a part size too small for a pair is refused instead of looping", () => {
    expect(() => splitText("[[", { encoding: "Latin", singleMax: 1, partMax: 1 })).toThrow(RangeError);
  });

  test("a Latin text may be sent as Unicode, but no other text as Latin", () => {
    expect(splitText(repeated("a", 71), { encoding: "Unicode" })).toEqual([repeated("a", 67), repeated("a", 4)]);
    expect(() => splitText("سلام", { encoding: "Latin" })).toThrow(NotInAlphabetError);
  });
});

describe("compared with sms-segments-calculator", () => {
  const compare = (text: string) => {
    const theirs = new SegmentedMessage(text);
    const ours = measureText(text);
    expect(ours.encoding === "Latin").toBe(theirs.encodingName === "GSM-7");
    expect(ours.characterCount).toBe(theirs.numberOfUnicodeScalars);
    return {
      ours: ours.partCount,
      theirs: theirs.segmentsCount,
      whole: theirs.graphemes.every((g) => [...g].length === 1),
    };
  };

  test("encoding, characters and parts agree for GSM and Persian texts", () => {
    fc.assert(
      fc.property(fc.oneof(gsmText, persianText), (text) => {
        const parts = compare(text);
        if (parts.whole) expect(parts.ours).toBe(parts.theirs);
      }),
      { numRuns: 150 },
    );
  });

  test("the same characters make a text Latin", () => {
    const differing: string[] = [];
    for (let unit = 0; unit < 0x3000; unit += 1) {
      const character = String.fromCharCode(unit);
      const theirs = new SegmentedMessage(character).encodingName === "GSM-7";
      if (theirs !== (measureText(character).encoding === "Latin")) differing.push(unit.toString(16));
    }
    expect(differing).toEqual([]);
  });

  test("parts differ only where it keeps a letter and its marks together, which the standard does not", () => {
    const text = `${repeated("س", 66)}م\u200c${repeated("س", 66)}`;
    expect(compare(text)).toMatchObject({ ours: 2, theirs: 3 });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 150 }), (sample) => {
        const parts = compare(sample);
        expect(parts.ours).toBeLessThanOrEqual(parts.theirs);
        if (parts.whole) expect(parts.ours).toBe(parts.theirs);
      }),
      { numRuns: 150 },
    );
  });
});

describe("characters", () => {
  test("are Unicode code points wherever a length is counted", () => {
    expect(measureText("a😀س").characterCount).toBe(3);
    expect(codePointLength("👨‍👩‍👧")).toBe(5);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(codePointLength(text)).toBe([...text].length);
        expect(measureText(text).characterCount).toBe([...text].length);
      }),
    );
  });

  test("with lone surrogates are counted one by one", () => {
    for (const text of ["\ud83d", "\ude00", "\ud83d\ud83d\ude00", "a\ud83d", "\ude00\ud83d"]) {
      expect(codePointLength(text)).toBe([...text].length);
      expect(measureText(text).characterCount).toBe([...text].length);
    }
  });

  test("are clean unless they include a lone surrogate or a control character other than LF and CR", () => {
    expect(isCleanText("سلام\r\nhello 😀\u200c")).toBe(true);
    expect(isCleanText("")).toBe(true);
    for (const text of ["\ud83d", "x\ude00", "\ude00\ud83d"]) expect(isCleanText(text)).toBe(false);
    for (let unit = 0; unit <= 0xa0; unit += 1) {
      const control = /\p{Cc}/u.test(String.fromCharCode(unit)) && unit !== 10 && unit !== 13;
      expect(isCleanText(`a${String.fromCharCode(unit)}b`)).toBe(!control);
    }
  });
});
