/** The client's address: the peer's own, or the one forwarded by a trusted proxy. */
import { parseAddress, rangeMatcher } from "./address-ranges.ts";

export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * The address that a request is attributed to. `forwardedFor` is read from its end, past trusted proxies, and only if
 * the peer is one: any other client could put anything in it.
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

/** No chain has more proxies, and a client may prepend as many entries as it likes. */
export const hopsMax = 32;

/** In order of appearance. */
function lastHops(forwardedFor: string): string[] {
  const hops: string[] = [];
  for (let end = forwardedFor.length; end >= 0 && hops.length < hopsMax; ) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(",", end - 1);
    hops.unshift(forwardedFor.slice(comma + 1, end));
    end = comma;
  }
  return hops;
}

/**
 * A customer of an IPv6 provider may own a whole such range, 65,536 networks: treating each as a separate client would
 * make guessing free.
 */
const subscriberBits = 48;

/**
 * What counts as one client: an IPv4 address, or the IPv6 range within which a client can change its address freely.
 */
export function clientOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.kind() === "ipv4") return address;
  return parsed
    .toByteArray()
    .slice(0, subscriberBits / 8)
    .join(".");
}
