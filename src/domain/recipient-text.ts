/** Finds a phone number, in any format, in texts written by people and programs. */
import { latinDigits } from "./phone-number.ts";

/** Digits that distinguish one number from any other, whatever precedes them: `121234567` of `+989121234567`. */
const tellingDigits = 9;
/** Digits that may precede them: of the country, the trunk or the operator. */
const prefixDigitsMax = 8;
/** Characters between two digits of one number. */
const gapMax = 3;
const gapSigns = /[\s().\-/\u200b-\u200f]/;

/** Replaces an erased number. */
export const erasedMark = "(erased)";

/** The digits to search for, for statements that compare texts themselves. */
export const tellingDigitsOf = (e164: string) => e164.slice(-tellingDigits);

/** Consecutive digits, and the position of each in the text. */
interface DigitRun {
  digits: string;
  places: number[];
}

/** `latin`: the text with Latin digits, as long as the text. */
function digitRuns(latin: string): DigitRun[] {
  const runs: DigitRun[] = [];
  let run: DigitRun = { digits: "", places: [] };
  const end = () => {
    if (run.digits.length >= tellingDigits) runs.push(run);
    run = { digits: "", places: [] };
  };
  for (let place = 0; place < latin.length; place += 1) {
    const sign = latin[place] ?? "";
    const isNear = place - (run.places.at(-1) ?? place) <= gapMax;
    if (sign >= "0" && sign <= "9") {
      run.digits += sign;
      run.places.push(place);
    } else if (!isNear || !gapSigns.test(sign)) end();
  }
  end();
  return runs;
}

/** Replaces every occurrence of the number in any format, including its prefix. */
export function withoutNumber(e164: string): (text: string) => string {
  const telling = tellingDigitsOf(e164);
  return (text) => {
    const latin = latinDigits(text);
    let kept = "";
    let from = 0;
    for (const { digits, places } of digitRuns(latin)) {
      for (let at = digits.indexOf(telling); at !== -1; at = digits.indexOf(telling, at + tellingDigits)) {
        const first = places[Math.max(0, at - prefixDigitsMax)] ?? 0;
        const begin = Math.max(from, latin[first - 1] === "+" ? first - 1 : first);
        kept += text.slice(from, begin) + erasedMark;
        from = (places[at + tellingDigits - 1] ?? begin) + 1;
      }
    }
    return kept + text.slice(from);
  };
}
