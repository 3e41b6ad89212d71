/** The countries that messages may go to: what a stolen key or a careless form can cost is limited by them. */
import parsePhoneNumber from "libphonenumber-js/max";
import { plainMobileNumber } from "./mobile-plan.ts";
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
