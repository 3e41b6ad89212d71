/** The client's address: the peer's own, or the one that a trusted proxy forwards. */
import { parseAddress, rangeMatcher } from "./address-ranges.ts";

export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * The address that a request is counted under. `forwardedFor` is read from its end, past trusted proxies, and only when the
 * peer is one: any other client could write what it likes into it.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = rangeMatcher(trustedProxies);

  return (peer, forwardedFor) => {
    let client = parseAddress(peer);
    if (client === null) return peer;
    const hops = lastHops(forwardedFor ?? "");
    while (isTrusted(client)) {
      const before = parseAddress(hops.pop() ?? "");
      if (before === null) break;
      client = before;
    }
    return client.toString();
  };
}

/** More proxies stand in no line, and a client may write as many as it likes before the first of them. */
export const hopsMax = 32;

/** In their order. */
function lastHops(forwardedFor: string): string[] {
  const hops: string[] = [];
  for (let end = forwardedFor.length; end >= 0 && hops.length < hopsMax; ) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1);
    hops.unshift(forwardedFor.slice(comma + 1, end));
    end = comma;
  }
  return hops;
}

/** A customer of an IPv6 provider may have all addresses of such a range, 65,536 networks: with each as one client, guesses are free. */
const subscriberBits = 48;

/** What counts as one client: an IPv4 address, or the range of an IPv6 address, in which it can change its own as it likes. */
export function clientOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.kind() === "ipv4") return address;
  return parsed
    .toByteArray()
    .slice(0, subscriberBits / 8)
    .join(".");
}
