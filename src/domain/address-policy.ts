/** Which IP addresses a callback may be sent to: public ones, and none in the operator's own network. */
import ip from "ipaddr.js";

type Address = ip.IPv4 | ip.IPv6;
type Range = readonly [Address, number];

/**
 * The policy as data. IPv4: everything except these. IPv6: only 2000::/3, minus its exceptions. Every IPv4-in-IPv6 form
 * is outside what is allowed and is never unwrapped. Sources: the IANA special-purpose registries for IPv4 and IPv6
 * (RFC 6890, 8190, 9780), the 6bone's returned block (RFC 3701), and the clouds' metadata and wire-server addresses.
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

/**
 * What even an operator's list of origins cannot allow: link-local, cloud metadata, and addresses that are not hosts.
 */
export const neverRanges = {
  v4Denied: [
    "0.0.0.0/8",
    "169.254.0.0/16",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "168.63.129.16/32",
    "100.100.100.200/32",
    "192.0.0.192/32",
  ],
  v6Allowed: ["2000::/3", "fc00::/7", "::1/128"],
  v6Denied: ["fd00:ec2::/32", "2001::/23", "2001:db8::/32", "2002::/16"],
} as const;

/**
 * Why an address is refused; `own_address` belongs to one of this host's interfaces, `operator_denied` is on the
 * operator's list.
 */
export type AddressRefusal = "not_an_address" | "not_public" | "own_address" | "operator_denied";

export interface AddressPolicy {
  /**
   * Checks one address in the format a resolver returns (dotted decimal, or IPv6 without a zone). `ownAddresses`: the
   * current addresses of this host's interfaces. Null means the address may be dialled.
   */
  refusalOf(address: string, ownAddresses: readonly string[]): AddressRefusal | null;
  /** Like `refusalOf`, for an origin on the operator's list: private addresses and those of this host are allowed. */
  refusalOfListed(address: string): AddressRefusal | null;
}

/** An operator's range that cannot be parsed: `webhooks.deny_cidrs` takes CIDR blocks or single addresses. */
export class InvalidAddressRange extends Error {
  override readonly name = "InvalidAddressRange";
  constructor(readonly range: string) {
    super(`"${range}" is neither an IP address nor a CIDR range such as 198.51.100.0/24`);
  }
}

/** Accepts only dotted decimal and plain IPv6: resolvers disagree on what `010.0.0.1` means. */
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

/** Parsed when the first address is checked: doing it at startup took a tenth of the startup time. */
class AddressRanges {
  readonly v4Denied: readonly Range[];
  readonly v6Allowed: readonly Range[];
  readonly v6Denied: readonly Range[];

  constructor(ranges: typeof addressRanges | typeof neverRanges) {
    this.v4Denied = ranges.v4Denied.map((text) => parseRange(text));
    this.v6Allowed = ranges.v6Allowed.map((text) => parseRange(text));
    this.v6Denied = ranges.v6Denied.map((text) => parseRange(text));
  }
}

let publicRanges: AddressRanges | null = null;
let listedRanges: AddressRanges | null = null;

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address behind it, wherever the prefix points. */
function isIsatap(address: ip.IPv6): boolean {
  const [high, low] = [address.parts[4], address.parts[5]];
  return low === 0x5efe && (high === 0 || high === 0x0200);
}

function isPublic(address: Address): boolean {
  publicRanges ??= new AddressRanges(addressRanges);
  return isAllowed(address, publicRanges);
}

function isListable(address: Address): boolean {
  listedRanges ??= new AddressRanges(neverRanges);
  return isAllowed(address, listedRanges);
}

function isAllowed(address: Address, { v4Denied, v6Allowed, v6Denied }: AddressRanges): boolean {
  if (address instanceof ip.IPv4) return !isWithin(address, v4Denied);
  return isWithin(address, v6Allowed) && !isWithin(address, v6Denied) && !isIsatap(address);
}

const isSame = (address: Address, other: string) => {
  const parsed = parseIpAddress(other.split("%", 1)[0] ?? "");
  return parsed?.kind() === address.kind() && address.match(parsed, address.kind() === "ipv4" ? 32 : 128);
};

/** @throws InvalidAddressRange if an operator's range cannot be parsed. */
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
    refusalOfListed(text) {
      const address = parseIpAddress(text);
      if (address === null) return "not_an_address";
      if (!isListable(address)) return "not_public";
      return isWithin(address, denied) ? "operator_denied" : null;
    },
  };
}
