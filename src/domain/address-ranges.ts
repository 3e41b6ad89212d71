/** Parses IP addresses and CIDR ranges, and checks whether a range contains an address. */
import ip from "ipaddr.js";

export type IpAddress = ip.IPv4 | ip.IPv6;

/** Some proxies write `10.1.2.3:4567` and `[2001:db8::1]:4567`. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An IPv4-mapped IPv6 address becomes IPv4. Null if the text is not an address. */
export function parseAddress(text: string): IpAddress | null {
  const match = withPort.exec(text.trim());
  const bare = match?.[1] ?? match?.[2] ?? text.trim();
  return ip.isValid(bare) ? ip.process(bare) : null;
}

/** True for an address, and for a range such as `10.0.0.0/8`. */
export function isIpOrCidr(text: string): boolean {
  if (text.includes("/")) return ip.isValidCIDR(text);
  return text.includes(":") ? ip.IPv6.isValid(text) : ip.IPv4.isValidFourPartDecimal(text);
}

function parseRange(text: string): readonly [IpAddress, number] {
  if (text.includes("/")) return ip.parseCIDR(text);
  const address = ip.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** True if an address is in one of the ranges. */
export function rangeMatcher(texts: readonly string[]): (address: IpAddress) => boolean {
  const ranges = texts.map(parseRange);
  return (address) => ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** True if each of these ranges lies in one of the others. No ranges at all mean every address. */
export function isWithinRanges(texts: readonly string[], outer: readonly string[]): boolean {
  if (outer.length === 0) return true;
  const ranges = outer.map(parseRange);
  const isWithin = ([base, bits]: readonly [IpAddress, number]) =>
    ranges.some(
      ([outerBase, outerBits]) =>
        base.kind() === outerBase.kind() && bits >= outerBits && base.match(outerBase, outerBits),
    );
  return texts.length > 0 && texts.map(parseRange).every(isWithin);
}

/** Like `rangeMatcher`, for an address as text; a text that is not an address is in no range. */
export function addressMatcher(texts: readonly string[]): (address: string) => boolean {
  const isIn = rangeMatcher(texts);
  return (text) => {
    const address = parseAddress(text);
    return address !== null && isIn(address);
  };
}
