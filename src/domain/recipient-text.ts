/** Finds a phone number in texts that people and programs wrote, however they spelt it. */

/** Digits that tell one number from any other, whatever stands in front of them: `9121234567` of `+989121234567`. */
const tellingDigits = 9;

/** What people put between digits. */
const between = "[\\s().\\-/\\u200b-\\u200f]{0,3}";
const digitClass = (digit: string) => {
  const value = Number(digit);
  return `[${digit}${String.fromCharCode(0x660 + value)}${String.fromCharCode(0x6f0 + value)}]`;
};

/** The digits that are looked for, for statements that compare texts by themselves. */
export const tellingDigitsOf = (e164: string) => e164.slice(-tellingDigits);

/** Replaces each spelling of the number, its prefix included. */
export function withoutNumber(e164: string): (text: string) => string {
  const telling = [...tellingDigitsOf(e164)].map(digitClass).join(between);
  const spelling = new RegExp(`[+0-9٠-٩۰-۹]{0,8}${between}${telling}`, "gu");
  return (text) => text.replace(spelling, "(erased)");
}
