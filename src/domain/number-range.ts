/** Ranges of phone numbers: `+98912`, or from `+989120000000` to `+989124999999`. */

/**
 * E.164 has at most 15 digits. Shorter numbers are padded to the first 15-digit number that begins with them, so that
 * ranges compare.
 */
const digitsMax = 15;

/** Both ends inclusive, each a number of 15 digits: 2^53 is larger. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

const zero = "0".charCodeAt(0);

/** The position of an E.164 number among all. Digit by digit: building a text for `Number` takes twice as long. */
export function numberPosition(e164: string): number {
  let digits = 0;
  for (let index = 1; index < e164.length; index += 1) digits = digits * 10 + (e164.charCodeAt(index) - zero);
  return digits * (powersOfTen[digitsMax + 1 - e164.length] ?? 0);
}

const powersOfTen = Array.from({ length: digitsMax + 1 }, (_, exponent) => 10 ** exponent);

/** All numbers that begin with these digits. */
export function rangeOfPrefix(digits: string): NumberRange {
  return { first: Number(digits.padEnd(digitsMax, "0")), last: Number(digits.padEnd(digitsMax, "9")) };
}

const written = /^\+([1-9]\d{0,14})(?:-\+([1-9]\d{0,14}))?$/;

/**
 * `+98912`, `+989120000000-+989124999999`; null for any other text, or if the ends differ in length or are in the wrong
 * order.
 */
export function parseNumberRange(text: string): NumberRange | null {
  const [, from, to = from] = written.exec(text) ?? [];
  if (from === undefined || to === undefined || from.length !== to.length) return null;
  const range = { first: rangeOfPrefix(from).first, last: rangeOfPrefix(to).last };
  return range.first <= range.last ? range : null;
}

/** In the format that `parseNumberRange` reads. */
export function rangeText({ first, last }: NumberRange): string {
  const [from, to] = [String(first), String(last)];
  const length = Math.max(lengthWithout("0", from), lengthWithout("9", to));
  const [begin, end] = [from.slice(0, length), to.slice(0, length)];
  return begin === end ? `+${begin}` : `+${begin}-+${end}`;
}

/** The digits that all of its numbers begin with. */
export function commonBeginning({ first, last }: NumberRange): string {
  const [from, to] = [String(first), String(last)];
  let length = 0;
  while (length < digitsMax && from[length] === to[length]) length += 1;
  return from.slice(0, length);
}

/** The length without trailing digits of this kind. */
function lengthWithout(digit: string, digits: string): number {
  let length = digits.length;
  while (digits[length - 1] === digit) length -= 1;
  return length;
}

export const isInRange = ({ first, last }: NumberRange, position: number): boolean =>
  first <= position && position <= last;

export const rangesOverlap = (a: NumberRange, b: NumberRange): boolean => a.first <= b.last && b.first <= a.last;
