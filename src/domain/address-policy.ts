/** Says which IP addresses a callback may be sent to: public ones, and none of the operator's own network. */
import ip from "ipaddr.js";

type Address = ip.IPv4 | ip.IPv6;
type Range = readonly [Address, number];

/**
 * The policy as data. IPv4: everything but these. IPv6: only 2000::/3, less its exceptions. Every IPv4-in-IPv6 form lies outside
 * of what is allowed and is never unwrapped. Sources: the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890, 8190,
 * 9780), the 6bone's returned block (RFC 3701), and the clouds' metadata and wire-server addresses.
 */
export const addressRanges = {
  v4Denied: [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "168.63.129.16/32",
  ],
  v6Allowed: ["2000::/3"],
  v6Denied: ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3ffe::/16", "3fff::/20"],
} as const;

/** Why an address is refused; `own_address` is one of this host's interfaces, `operator_denied` stands on the operator's list. */
export type AddressRefusal = "not_an_address" | "not_public" | "own_address" | "operator_denied";

export interface AddressPolicy {
  /**
   * Judges one address in the spelling that a resolver gives (dotted decimal, or IPv6 without a zone).
   * `ownAddresses`: what this host's interfaces have at this moment. Null means that the address may be dialled.
   */
  refusalOf(address: string, ownAddresses: readonly string[]): AddressRefusal | null;
}

/** An operator's range that cannot be read: `webhooks.deny_cidrs` takes CIDR blocks or single addresses. */
export class InvalidAddressRange extends Error {
  override readonly name = "InvalidAddressRange";
  constructor(readonly range: string) {
    super(`"${range}" is neither an IP address nor a CIDR range such as 198.51.100.0/24`);
  }
}

/** Only dotted decimal and plain IPv6 are read: `010.0.0.1` means one thing to one resolver and another to the next. */
export function parseIpAddress(text: string): Address | null {
  if (ip.IPv4.isValidFourPartDecimal(text)) return ip.IPv4.parse(text);
  if (!text.includes("%") && ip.IPv6.isValid(text)) return ip.IPv6.parse(text);
  return null;
}

function parseRange(text: string): Range {
  const [base = "", length, ...rest] = text.split("/");
  const address = parseIpAddress(base);
  const bitsMax = address?.kind() === "ipv4" ? 32 : 128;
  const bits = length === undefined ? bitsMax : Number(length);
  const wellFormed = rest.length === 0 && (length === undefined || /^\d{1,3}$/.test(length)) && bits <= bitsMax;
  if (address === null || !wellFormed) throw new InvalidAddressRange(text);
  return [address, bits];
}

const isWithin = (address: Address, ranges: readonly Range[]) =>
  ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));

/** Read when the first address is judged: at a start they cost a tenth of it. */
class PublicRanges {
  readonly v4Denied = addressRanges.v4Denied.map(parseRange);
  readonly v6Allowed = addressRanges.v6Allowed.map(parseRange);
  readonly v6Denied = addressRanges.v6Denied.map(parseRange);
}

let publicRanges: PublicRanges | null = null;

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address behind it, wherever the prefix points. */
function isIsatap(address: ip.IPv6): boolean {
  const [high, low] = [address.parts[4], address.parts[5]];
  return low === 0x5efe && (high === 0 || high === 0x0200);
}

function isPublic(address: Address): boolean {
  publicRanges ??= new PublicRanges();
  const { v4Denied, v6Allowed, v6Denied } = publicRanges;
  if (address instanceof ip.IPv4) return !isWithin(address, v4Denied);
  return isWithin(address, v6Allowed) && !isWithin(address, v6Denied) && !isIsatap(address);
}

const isSame = (address: Address, other: string) => {
  const parsed = parseIpAddress(other.split("%", 1)[0] ?? "");
  return parsed?.kind() === address.kind() && address.match(parsed, address.kind() === "ipv4" ? 32 : 128);
};

/** @throws InvalidAddressRange for an operator's range that cannot be read. */
export function createAddressPolicy(operatorDenied: readonly string[] = []): AddressPolicy {
  const denied = operatorDenied.map(parseRange);
  return {
    refusalOf(text, ownAddresses) {
      const address = parseIpAddress(text);
      if (address === null) return "not_an_address";
      if (!isPublic(address)) return "not_public";
      if (ownAddresses.some((own) => isSame(address, own))) return "own_address";
      return isWithin(address, denied) ? "operator_denied" : null;
    },
  };
}
