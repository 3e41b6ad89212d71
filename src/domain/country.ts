/** The countries that messages may go to: this limits what a stolen key or an abused form can cost. */
import parsePhoneNumber, { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { plainMobileNumber } from "./mobile-plan.ts";
import { type NumberRange, rangeOfPrefix } from "./number-range.ts";
import { isRegion } from "./phone-number.ts";

/** ISO 3166-1 alpha-2 codes; null: every country. */
export type Countries = ReadonlySet<string> | null;

/** A set of codes such as `IR`, `TR`; no codes means every country. */
export const countriesOf = (codes: readonly string[]): Countries => (codes.length === 0 ? null : new Set(codes));

/** True if an E.164 number belongs to one of the countries. A number of an unknown country belongs to none. */
export function isInCountries(e164: string, countries: Countries): boolean {
  if (countries === null) return true;
  // Most numbers belong to the first country, and the library's parser takes thirty times as long.
  for (const country of countries) if (isRegion(country) && plainMobileNumber(e164, country) !== null) return true;
  const country = parsePhoneNumber(e164)?.country;
  return country !== undefined && countries.has(country);
}

/**
 * Like `isInCountries`, for checking one number against many countries: the calling code rules out most of them, and
 * the library's parser, which takes 9 µs, runs at most once.
 */
export class NumberOrigin {
  #parsed: string | null | undefined;

  constructor(private readonly e164: string) {}

  isOf(country: string): boolean {
    const code = callingCodeOf(country);
    if (code === null || !this.e164.startsWith(code, 1)) return false;
    if (isRegion(country) && plainMobileNumber(this.e164, country) !== null) return true;
    if (this.#parsed === undefined) this.#parsed = parsePhoneNumber(this.e164)?.country ?? null;
    return this.#parsed === country;
  }
}

const callingCodes: ReadonlyMap<string, string> = new Map(
  getCountries().map((country) => [country, getCountryCallingCode(country)]),
);

/** `98` for `IR`; null if it is not a country. */
export const callingCodeOf = (country: string): string | null => callingCodes.get(country) ?? null;

/** The numbers that begin with its calling code; null if it is not a country. */
export function countryRange(country: string): NumberRange | null {
  const code = callingCodeOf(country);
  return code === null ? null : rangeOfPrefix(code);
}

/** True if several countries share its calling code, as with +1. */
export function sharesCallingCode(country: string): boolean {
  const code = callingCodeOf(country);
  return getCountries().filter((other) => getCountryCallingCode(other) === code).length > 1;
}
