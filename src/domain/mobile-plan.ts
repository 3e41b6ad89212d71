/**
 * What libphonenumber's plans say about mobile numbers. First a fast path to E.164 for plainly written mobile numbers
 * of one region, derived from libphonenumber's own plan. The library's parser took 6 µs alone and 14 µs in a busy
 * server (including its garbage), more than a third of what a whole request may cost; this takes 0.2. Everything else
 * goes through the library.
 */
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from "libphonenumber-js/max";

interface MobilePlan {
  /** Matches `+98…` and `0…`. */
  plain: RegExp;
  /** `+98`. */
  prefix: string;
}

const plans = new Map<CountryCode, MobilePlan | null>();

/**
 * E.164 if `digits` (0-9, with an optional leading plus) is certainly a mobile number of the region; null means
 * unknown.
 */
export function plainMobileNumber(digits: string, region: CountryCode): string | null {
  let plan = plans.get(region);
  if (plan === undefined) {
    plan = mobilePlanOf(region);
    plans.set(region, plan);
  }
  // Capturing the national number would cost an array and a string: 0.1 µs per message.
  if (plan === null || !plan.plain.test(digits)) return null;
  return digits.startsWith("+") ? digits : plan.prefix + digits.slice(1);
}

/**
 * The package's types omit most of a plan, so each part is looked up by name and only accepted in the shape we know.
 */
function part(owner: unknown, name: string, ...wanted: unknown[]): unknown {
  const method: unknown = typeof owner === "object" && owner !== null ? Reflect.get(owner, name) : undefined;
  return typeof method === "function" ? Reflect.apply(method, owner, wanted) : undefined;
}

function isLengths(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((length) => Number.isInteger(length));
}

/** What all mobile numbers of a country have in common, including those in ranges that its plan does not list yet. */
interface MobileShape {
  /** Lengths of the number without its calling code. */
  lengths: readonly number[];
  /** Dialled before the number within the country; no mobile number begins with it. Empty if there is none. */
  trunk: string;
}

const shapes = new Map<string, MobileShape>();
/** By calling code; needed for every number in a range that no plan lists. */
let sharing: Map<string, CountryCode[]> | null = null;

/**
 * As parsed by the library. `country` is missing if several share the calling code and none of them lists the number.
 */
export interface ParsedNumber {
  country?: CountryCode | undefined;
  countryCallingCode: string;
  nationalNumber: string;
}

/** True if a number is as long as its country's mobile numbers and has no domestic dialling prefix. */
export function hasMobileShape({ country, countryCallingCode, nationalNumber }: ParsedNumber): boolean {
  sharing ??= Map.groupBy(getCountries(), (one) => String(getCountryCallingCode(one)));
  const plans = country === undefined ? (sharing.get(countryCallingCode) ?? [countryCallingCode]) : [country];
  return plans.some((plan) => {
    const { lengths, trunk } = shapeOf(plan);
    return lengths.includes(nationalNumber.length) && (trunk === "" || !nationalNumber.startsWith(trunk));
  });
}

/** `plan`: a country, or a calling code without one, such as that of satellites. */
function shapeOf(plan: string): MobileShape {
  const known = shapes.get(plan);
  if (known !== undefined) return known;
  const metadata = new Metadata();
  part(metadata, "selectNumberingPlan", plan);
  const [numbers, trunk] = [metadata.numberingPlan, part(metadata.numberingPlan, "nationalPrefix")];
  const mobile = part(numbers, "type", "MOBILE");
  const lengths = mobile === undefined ? [] : (part(mobile, "possibleLengths") ?? part(numbers, "possibleLengths"));
  const shape = { lengths: isLengths(lengths) ? lengths : [], trunk: typeof trunk === "string" ? trunk : "" };
  shapes.set(plan, shape);
  return shape;
}

/**
 * Null if a pattern alone cannot decide: a calling code shared by several countries, prefixes that are rewritten,
 * mobile ranges shared with fixed lines.
 */
function mobilePlanOf(region: CountryCode): MobilePlan | null {
  const callingCode = getCountryCallingCode(region);
  if (getCountries().filter((other) => getCountryCallingCode(other) === callingCode).length > 1) return null;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  const plan = metadata.numberingPlan;
  const mobile = part(plan, "type", "MOBILE");
  const [pattern, lengths] = [
    part(mobile, "pattern"),
    part(mobile, "possibleLengths") ?? part(plan, "possibleLengths"),
  ];
  const [any, trunk, abroad] = ["nationalNumberPattern", "nationalPrefixForParsing", "IDDPrefix"].map((name) =>
    part(plan, name),
  );
  const isKnown = typeof pattern === "string" && pattern !== "" && isLengths(lengths) && typeof any === "string";
  const isSimple = typeof trunk === "string" && /^\d$/.test(trunk) && typeof abroad === "string";
  if (!isKnown || !isSimple || part(plan, "nationalPrefixTransformRule")) return null;
  const length = lengths.map((count) => `\\d{${count}}`).join("|");
  const national = `(?!${trunk})(?=(?:${length})$)(?=(?:${any})$)(?:${pattern})`;
  const plain = new RegExp(`^(?:\\+${callingCode}|(?!${abroad})${trunk})${national}$`);
  return { plain, prefix: `+${callingCode}` };
}
