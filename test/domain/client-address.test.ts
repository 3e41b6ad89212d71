/** The address under which a request is counted. */
import { expect, test } from "bun:test";
import { clientAddress, hopsMax } from "../../src/domain/client-address.ts";

const proxied = clientAddress(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);

const proxies = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${count - index}`);

const cases: [what: string, peer: string, forwardedFor: string | null, client: string][] = [
  ["a client without a proxy", "198.51.100.1", null, "198.51.100.1"],
  ["a client that claims another address", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
  ["a trusted proxy without the header", "10.1.2.3", null, "10.1.2.3"],
  ["a trusted proxy's client", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["the last address that is not a trusted proxy's", "10.1.2.3", "203.0.113.9, 198.51.100.1", "198.51.100.1"],
  [
    "a client behind several trusted proxies",
    "10.1.2.3",
    "203.0.113.9, 198.51.100.1, 192.0.2.7,10.9.9.9",
    "198.51.100.1",
  ],
  ["a proxy's own request", "10.1.2.3", "10.5.5.5", "10.5.5.5"],
  ["a client with its port", "10.1.2.3", "198.51.100.1:4567", "198.51.100.1"],
  ["an IPv6 client with its port", "10.1.2.3", "[2a00:1450::1]:4567", "2a00:1450::1"],
  ["an IPv6 client in another spelling", "2001:db8::1", "2A00:1450:0:0::0001", "2a00:1450::1"],
  ["IPv4 mapped into IPv6", "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
  ["an invalid address from a proxy", "10.1.2.3", "unknown", "10.1.2.3"],
  ["an invalid address before a proxy", "10.1.2.3", "198.51.100.1, for=x, 10.4.4.4", "10.4.4.4"],
  ["an empty list", "10.1.2.3", " , ", "10.1.2.3"],
  ["an empty entry before a proxy", "10.1.2.3", "198.51.100.1,,10.4.4.4", "10.4.4.4"],
  [
    "the first of as many addresses as are read",
    "10.1.2.3",
    ["198.51.100.1", ...proxies(hopsMax - 1)].join(),
    "198.51.100.1",
  ],
  ["none of more addresses than are read", "10.1.2.3", ["198.51.100.1", ...proxies(hopsMax)].join(), "10.0.0.32"],
  ["a peer without an address", "unknown", "198.51.100.1", "unknown"],
];
test.each(cases)("the client's address is right for: %s", (_, peer, forwardedFor, client) => {
  expect(proxied(peer, forwardedFor)).toBe(client);
});

test("X-Forwarded-For is ignored without trusted proxies", () => {
  expect(clientAddress([])("127.0.0.1", "198.51.100.1")).toBe("127.0.0.1");
});
