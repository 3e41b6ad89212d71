/** What was typed, as it is compared and searched for. */
import { latinDigits } from "./phone-number.ts";

const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What was typed into a search or a short field: its digits as 0-9, ي and ك as the Persian ی and ک, invisible marks gone. */
export function cleanInput(text: string): string {
  return latinDigits(text).replace(marks, "").replaceAll("ي", "ی").replaceAll("ك", "ک").trim();
}

/** Equal for what differs in letter case alone, or in how its digits and letters are written. */
export const comparableText = (text: string): string => cleanInput(text).toLowerCase();

const letterSpellings: Readonly<Record<string, readonly string[]>> = { ی: ["ی", "ي"], ک: ["ک", "ك"] };

/** The characters that `comparableText` makes this one, which is one of its own. */
export function characterSpellings(character: string): readonly string[] {
  if (/^[0-9]$/.test(character)) {
    const digit = Number(character);
    return [character, String.fromCodePoint(0x660 + digit), String.fromCodePoint(0x6f0 + digit)];
  }
  const upper = character.toUpperCase();
  return letterSpellings[character] ?? (isOneCharacter(upper) ? [...new Set([character, upper])] : [character]);
}

const isOneCharacter = (text: string): boolean => [...text].length === 1;
