/** Parses phone numbers in the formats people use, with libphonenumber's numbering plans. */
import parsePhoneNumber, {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  type PhoneNumber,
} from "libphonenumber-js/max";
import { hasMobileShape, plainMobileNumber } from "./mobile-plan.ts";

/** A region is not an ISO 3166-1 code known to libphonenumber. */
export class UnknownRegionError extends Error {
  override readonly name = "UnknownRegionError";
  constructor(readonly region: string) {
    super(`"${region}" is not a region with a numbering plan`);
  }
}

/** Every ISO 3166-1 alpha-2 code that has a numbering plan. */
export const regions: readonly string[] = getCountries();
const knownRegions: ReadonlySet<string> = new Set(regions);

/** True for a two-letter ISO 3166-1 code that has a numbering plan, such as `IR`. */
export function isRegion(region: string): region is CountryCode {
  return knownRegions.has(region);
}

/** Up to this many digits it is a short code, even if a plan lists it as a number (Iran's 96308, as +9896308). */
const shortCodeDigitsMax = 6;

/** Spaces of every kind, and the marks that right-to-left editors put around a number. */
const ignored = /[\s\-.()/\u200b-\u200f\u202a-\u202e\u2010-\u2015\u2066-\u2069]/g;
/** Twenty digits, with marks and spaces around each. */
const typedLengthMax = 100;
const dialled = /^\+?[0-9]{1,20}$/;
const latinOnly = /^[\x20-\x7e]*$/;
const arabicZero = 0x660;
const persianZero = 0x6f0;

const isDigitFrom = (zero: number, unit: number): boolean => unit >= zero && unit <= zero + 9;

/**
 * Persian and Arabic-Indic digits as 0-9; everything else unchanged. A replacement by pattern took 4 times as long for
 * a number and 45 times for 32,000 digits.
 */
export function latinDigits(text: string): string {
  if (latinOnly.test(text)) return text;
  const units = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const isDigit = isDigitFrom(persianZero, unit) || isDigitFrom(arabicZero, unit);
    units[index] = isDigit ? 0x30 + (unit & 0x0f) : unit;
  }
  return Buffer.from(units.buffer).toString("utf16le");
}

/** The digits of a number with its leading plus, or null if the text contains anything else. */
function dialledDigits(input: string): string | null {
  if (input.length > typedLengthMax) return null;
  if (dialled.test(input)) return input;
  const text = latinDigits(input).replace(ignored, "");
  return dialled.test(text) ? text : null;
}

function parse(digits: string, region: string): PhoneNumber | undefined {
  if (!isRegion(region)) throw new UnknownRegionError(region);
  return parsePhoneNumber(digits, { defaultCountry: region, extract: false });
}

function isOfRegion(number: PhoneNumber, region: string): boolean {
  return isRegion(region) && number.countryCallingCode === getCountryCallingCode(region);
}

/**
 * What counts as a mobile number besides those libphonenumber knows: numbering plans change faster than the library.
 */
export interface RecipientNumbers {
  /** `possible`: also a number in a range that no plan lists, if it has the length of the country's mobile numbers. */
  recipients: "valid" | "possible";
  /** Prefixes of mobile numbers in E.164, such as `+98999`. */
  extraRanges: readonly string[];
}

export const validNumbers: RecipientNumbers = { recipients: "valid", extraRanges: [] };

/**
 * E.164 of a mobile number in any common format (`09121234567`, `+98 912 123 4567`, `0098…`, `۰۹۱۲…`), or null if it is
 * not one. Ranges shared by mobile and fixed lines, such as those of +1, count as mobile. @throws UnknownRegionError
 */
export function parseMobileNumber(
  input: string,
  region: string,
  { recipients, extraRanges }: RecipientNumbers = validNumbers,
): string | null {
  const digits = dialledDigits(input);
  if (digits === null) return null;
  const plain = isRegion(region) ? plainMobileNumber(digits, region) : null;
  if (plain !== null) return plain;
  const number = parse(digits, region);
  if (number === undefined) return null;
  const type = number.getType();
  if (type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE") return number.number;
  const isTaken =
    extraRanges.some((range) => number.number.startsWith(range)) || (recipients === "possible" && type === undefined);
  return isTaken && hasMobileShape(number) ? number.number : null;
}

/** The digits that name the country, such as `98`. */
export const callingCode = (e164: string): string => parsePhoneNumber(e164)?.countryCallingCode ?? "";

/**
 * `+989121234567` in national format (`09121234567`) if it belongs to the region; otherwise unchanged. @throws
 * UnknownRegionError
 */
export function nationalNumber(e164: string, region: string): string {
  const number = parse(e164, region);
  if (number === undefined || number.country !== region) return e164;
  return number.formatNational().replace(/[^0-9]/g, "");
}

/**
 * An E.164 number in its own country's national format: `+989121234567` is `09121234567`. Only its digits if no plan
 * knows it.
 */
export function homeNumber(e164: string): string {
  const national = parsePhoneNumber(e164)?.formatNational() ?? e164;
  return national.replace(/[^0-9]/g, "");
}

/**
 * The canonical form of an inbound message's address, which does not change if normalised again: E.164 for a valid
 * number of any type; only the digits for a short code, or for a line of the region that no plan lists (`30001234`,
 * even if it came as `+9830001234`); any other digits unchanged; anything alphanumeric unchanged except for surrounding
 * spaces. @throws UnknownRegionError
 */
export function normaliseAddress(input: string, region: string): string {
  const digits = dialledDigits(input);
  if (digits === null) return input.trim();
  const international = digits.startsWith("+");
  if (!international && digits.length <= shortCodeDigitsMax) return digits;
  const number = parse(digits, region);
  if (number === undefined) return digits;
  if (number.isValid()) return number.number;
  return !international || !isOfRegion(number, region) ? digits : normaliseAddress(number.nationalNumber, region);
}
