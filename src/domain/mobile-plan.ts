/**
 * What libphonenumber's plans say of mobile numbers. First a fast path to E.164 for plainly written mobile numbers of one region, made from libphonenumber's own plan.
 * The library's parser took 6 µs alone and 14 µs inside a busy server (its garbage included), more than a third of what a
 * whole request may cost; this takes 0.2. Everything else takes the library's way.
 */
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from "libphonenumber-js/max";

interface MobilePlan {
  /** Matches `+98…` and `0…`. */
  plain: RegExp;
  /** `+98`. */
  prefix: string;
}

const plans = new Map<CountryCode, MobilePlan | null>();

/** E.164 when `digits` (0-9, a leading plus perhaps) is for certain a mobile number of the region; null says nothing. */
export function plainMobileNumber(digits: string, region: CountryCode): string | null {
  let plan = plans.get(region);
  if (plan === undefined) {
    plan = mobilePlanOf(region);
    plans.set(region, plan);
  }
  // A captured national number is a list and a text for the collector: 0.1 µs of a message.
  if (plan === null || !plan.plain.test(digits)) return null;
  return digits.startsWith("+") ? digits : plan.prefix + digits.slice(1);
}

/** The package's types leave out most of a plan, so each part is asked for by name and believed only in the shape we know. */
function part(owner: unknown, name: string, ...wanted: unknown[]): unknown {
  const method: unknown = typeof owner === "object" && owner !== null ? Reflect.get(owner, name) : undefined;
  return typeof method === "function" ? Reflect.apply(method, owner, wanted) : undefined;
}

function isLengths(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((length) => Number.isInteger(length));
}

/** What all mobile numbers of a country have in common, those of ranges that its plan does not list yet, too. */
interface MobileShape {
  /** Of the number without its calling code. */
  lengths: readonly number[];
  /** Dialled before it within the country; no mobile number begins with it. Empty where there is none. */
  trunk: string;
}

const shapes = new Map<string, MobileShape>();
/** By calling code; asked for every number in a range that no plan lists. */
let sharing: Map<string, CountryCode[]> | null = null;

/** As the library parsed it. `country` is not there where several share the calling code and none of them lists the number. */
export interface ParsedNumber {
  country?: CountryCode | undefined;
  countryCallingCode: string;
  nationalNumber: string;
}

/** Whether a number is as long as the mobile numbers of its country, and written without the prefix of calls within it. */
export function hasMobileShape({ country, countryCallingCode, nationalNumber }: ParsedNumber): boolean {
  sharing ??= Map.groupBy(getCountries(), (one) => String(getCountryCallingCode(one)));
  const plans = country === undefined ? (sharing.get(countryCallingCode) ?? [countryCallingCode]) : [country];
  return plans.some((plan) => {
    const { lengths, trunk } = shapeOf(plan);
    return lengths.includes(nationalNumber.length) && (trunk === "" || !nationalNumber.startsWith(trunk));
  });
}

/** `plan`: a country, or a calling code that is of none, such as that of satellites. */
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
 * Null where more than a pattern decides: a calling code that several countries share, prefixes that are rewritten, mobile
 * ranges that are those of fixed lines.
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
