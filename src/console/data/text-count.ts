/** How long a text is as it is typed: characters, parts, and how much more fits. */
import { textLengthMax } from "../../domain/pattern.ts";
import { codePointLength, measureText, withoutTabs } from "../../domain/text.ts";
import type { TextCount } from "../pages/send.tsx";

/** What is longer by far than a message may be is counted so far. */
const countedMax = 2 * textLengthMax;
/** More than a part holds of anything. */
const partCharactersMax = 160;

export function textCountOf(typed: string): TextCount {
  const text = withoutTabs(codePointLength(typed) > countedMax ? typed.slice(0, countedMax) : typed);
  const { characterCount, encoding, partCount } = measureText(text);
  return { characters: characterCount, encoding, parts: partCount, left: charactersLeft(text) };
}

/** Plain characters of the same alphabet that still fit into the last part, found by trying. */
function charactersLeft(text: string): number {
  const { encoding, partCount } = measureText(text);
  const filler = encoding === "Latin" ? "a" : "ب";
  const fits = (count: number): boolean => measureText(text + filler.repeat(count)).partCount === partCount;
  let low = 0;
  let high = partCharactersMax;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
