/** The client's address: the peer's own, or the one that a trusted proxy forwards. */
import ip from "ipaddr.js";

type Range = readonly [ip.IPv4 | ip.IPv6, number];

function parseRange(text: string): Range {
  if (text.includes("/")) return ip.parseCIDR(text);
  const address = ip.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** `10.1.2.3:4567` and `[2001:db8::1]:4567` are what some proxies write. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An IPv4-mapped IPv6 address is read as IPv4. */
function parseClient(text: string): ip.IPv4 | ip.IPv6 | null {
  const match = withPort.exec(text.trim());
  const bare = match?.[1] ?? match?.[2] ?? text.trim();
  return ip.isValid(bare) ? ip.process(bare) : null;
}

/** Whether an address, as `clientAddress` gives it, lies in one of the ranges. */
export function addressMatcher(texts: readonly string[]): (address: string) => boolean {
  const isIn = rangeMatcher(texts);
  return (text) => {
    const address = parseClient(text);
    return address !== null && isIn(address);
  };
}

function rangeMatcher(texts: readonly string[]) {
  const ranges = texts.map(parseRange);
  return (address: ip.IPv4 | ip.IPv6) =>
    ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

export type ClientAddress = (peer: string, forwardedFor: string | null) => string;

/**
 * The address that a request is counted under. `forwardedFor` is read from its end, past trusted proxies, and only when the
 * peer is one: any other client could write what it likes into it.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = rangeMatcher(trustedProxies);

  return (peer, forwardedFor) => {
    let client = parseClient(peer);
    if (client === null) return peer;
    const hops = forwardedFor?.split(",") ?? [];
    while (isTrusted(client)) {
      const before = parseClient(hops.pop() ?? "");
      if (before === null) break;
      client = before;
    }
    return client.toString();
  };
}
