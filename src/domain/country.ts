/** The countries that messages may go to: what a stolen key or a careless form can cost is limited by them. */
import parsePhoneNumber, { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { plainMobileNumber } from "./mobile-plan.ts";
import { type NumberRange, rangeOfPrefix } from "./number-range.ts";
import { isRegion } from "./phone-number.ts";

/** ISO 3166-1 alpha-2 codes; null: every country. */
export type Countries = ReadonlySet<string> | null;

/** `IR`, `TR` → a set; no code at all means every country. */
export const countriesOf = (codes: readonly string[]): Countries => (codes.length === 0 ? null : new Set(codes));

/** Whether an E.164 number belongs to one of the countries. A number of no known country belongs to none. */
export function isInCountries(e164: string, countries: Countries): boolean {
  if (countries === null) return true;
  // Most numbers are of the first country, and the library's parser takes thirty times as long.
  for (const country of countries) if (isRegion(country) && plainMobileNumber(e164, country) !== null) return true;
  const country = parsePhoneNumber(e164)?.country;
  return country !== undefined && countries.has(country);
}

/**
 * The same for a number that is asked about many countries, one by one: most others are told by their calling code, and the
 * library's parser, which takes 9 µs, is asked once at the most.
 */
export class NumberOrigin {
  readonly #e164: string;
  #parsed: string | null | undefined;

  constructor(e164: string) {
    this.#e164 = e164;
  }

  isOf(country: string): boolean {
    const code = callingCodeOf(country);
    if (code === null || !this.#e164.startsWith(code, 1)) return false;
    if (isRegion(country) && plainMobileNumber(this.#e164, country) !== null) return true;
    if (this.#parsed === undefined) this.#parsed = parsePhoneNumber(this.#e164)?.country ?? null;
    return this.#parsed === country;
  }
}

const callingCodes: ReadonlyMap<string, string> = new Map(
  getCountries().map((country) => [country, getCountryCallingCode(country)]),
);

/** `98` for `IR`; null for what is no country. */
export const callingCodeOf = (country: string): string | null => callingCodes.get(country) ?? null;

/** The numbers that begin with its calling code; null for what is no country. */
export function countryRange(country: string): NumberRange | null {
  const code = callingCodeOf(country);
  return code === null ? null : rangeOfPrefix(code);
}

/** Whether several countries share its calling code, as those of +1 do. */
export function sharesCallingCode(country: string): boolean {
  const code = callingCodeOf(country);
  return getCountries().filter((other) => getCountryCallingCode(other) === code).length > 1;
}
