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
    const hops = forwardedFor?.split(",") ?? [];
    while (isTrusted(client)) {
      const before = parseAddress(hops.pop() ?? "");
      if (before === null) break;
      client = before;
    }
    return client.toString();
  };
}
