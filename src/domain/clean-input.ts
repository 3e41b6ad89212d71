/** What was typed, as it is compared and searched for. */
import { latinDigits } from "./phone-number.ts";

const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** What was typed into a search or a short field: its digits as 0-9, ي and ك as the Persian ی and ک, invisible marks gone. */
export function cleanInput(text: string): string {
  return latinDigits(text).replace(marks, "").replaceAll("ي", "ی").replaceAll("ك", "ک").trim();
}

/** Equal for what differs in letter case alone, or in how its digits and letters are written. */
export const comparableText = (text: string): string => cleanInput(text).toLowerCase();
