/** Normalises typed input for comparison and search. */
import { latinDigits } from "./phone-number.ts";

const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Normalises input of a search or short field: digits as 0-9, ي and ك as the Persian ی and ک, invisible marks removed.
 */
export function cleanInput(text: string): string {
  return latinDigits(text).replace(marks, "").replaceAll("ي", "ی").replaceAll("ك", "ک").trim();
}

/** Equal for texts that differ only in case or in how their digits and letters are written. */
export const comparableText = (text: string): string => cleanInput(text).toLowerCase();

const letterSpellings: Readonly<Record<string, readonly string[]>> = { ی: ["ی", "ي"], ک: ["ک", "ك"] };

/** The characters that `comparableText` maps to this one, including itself. */
export function characterSpellings(character: string): readonly string[] {
  if (/^[0-9]$/.test(character)) {
    const digit = Number(character);
    return [character, String.fromCodePoint(0x660 + digit), String.fromCodePoint(0x6f0 + digit)];
  }
  const upper = character.toUpperCase();
  return letterSpellings[character] ?? (isOneCharacter(upper) ? [...new Set([character, upper])] : [character]);
}

const isOneCharacter = (text: string): boolean => [...text].length === 1;
