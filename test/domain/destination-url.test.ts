/** Unusual spellings of a destination: which are refused by name, which become an address, which are kept and how. */
import { describe, expect, test } from "bun:test";
import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import {
  type DestinationRefusal,
  DestinationRefused,
  InvalidTrustedDestination,
  parseCallbackUrl,
  parseDestination,
  parseTrustedDestinations,
} from "../../src/domain/destination-url.ts";

const nobody = parseTrustedDestinations([]);

function outcomeOf(raw: string, trusted = nobody): string {
  try {
    return parseDestination(raw, trusted).href;
  } catch (error) {
    if (error instanceof DestinationRefused) return error.reason;
    throw error;
  }
}

const label63 = "a".repeat(63);
const name253 = `${label63}.${label63}.${label63}.${"b".repeat(57)}.com`;

/** Of an unlisted URL; whether an address is public is the guard's decision. */
const refused: Record<Exclude<DestinationRefusal, "not_public">, readonly string[]> = {
  too_long: [`https://peyk.dev/${"a".repeat(2032)}`],
  forbidden_character: [
    " https://peyk.dev/",
    "https://peyk.dev/ ",
    "https://peyk.dev/a b",
    "https://peyk.dev/\n",
    "ht\ttps://peyk.dev/",
    "https://peyk\r\n.dev/",
    "https://peyk.dev\u0000/",
    "https://peyk.dev/\u007f",
    "https:\\\\peyk.dev\\",
    "https://peyk.dev\\@127.0.0.1/",
    "https:/\\peyk.dev/",
  ],
  not_https: [
    "",
    "peyk.dev",
    "//peyk.dev/",
    "http://peyk.dev/",
    "ftp://peyk.dev/",
    "file:///etc/passwd",
    "gopher://peyk.dev/",
    "javascript:alert(1)",
    "https:peyk.dev",
    "https:/peyk.dev",
    "https:///peyk.dev",
    "https://?peyk.dev",
    "wss://peyk.dev/",
    "blob:https://peyk.dev/",
    "\u2028https://peyk.dev/",
  ],
  user_info: [
    "https://user@peyk.dev/",
    "https://user:pass@peyk.dev/",
    "https://@peyk.dev/",
    "https://:@peyk.dev/",
    "https://peyk.dev@127.0.0.1/",
    "https://peyk.dev:443@10.0.0.1/",
  ],
  fragment: ["https://peyk.dev/#a", "https://peyk.dev#", "https://peyk.dev#@127.0.0.1/"],
  port: [
    "https://peyk.dev:80/",
    "https://peyk.dev:8443/",
    "https://peyk.dev:444",
    "https://peyk.dev:442",
    "https://peyk.dev:0/",
    "https://peyk.dev:/",
    "https://peyk.dev:0443/",
    "https://peyk.dev:443:80/",
    "https://peyk.dev:%34%34%33/",
    "https://peyk.dev:65536/",
    "https://[2606:4700::1]:8443/",
    "https://8.8.8.8:22/",
    "https://[2606:4700::1/",
    "https://2606:4700::1/",
  ],
  malformed_host: [
    "https://.peyk.dev/",
    "https://peyk.dev../",
    "https://peyk..dev/",
    "https://peyk\u3002\u3002dev/",
    "https://%2epeyk.dev/",
    "https://./",
    "https://../",
    "https://-peyk.dev/",
    "https://peyk-.dev/",
    "https://pe*yk.dev/",
    "https://pe!yk.dev/",
    "https://peyk,dev.com/",
    "https://pe%00yk.dev/",
    "https://pe%2fyk.dev/",
    "https://pe%40yk.dev/",
    "https://xn--/",
    "https://256.1.1.1/",
    "https://1.2.3.4.5/",
    "https://0x100000000/",
    "https://peyk.0x1/",
    "https://[fe80::1%25eth0]/",
    "https://[::1%eth0]/",
    "https://[8.8.8.8]/",
    "https://[]/",
    `https://${"a".repeat(64)}.com/`,
    `https://a${name253}/`,
  ],
  single_label: ["https://intern/", "https://com./", "https://db/", "https://xn--fa-hia/"],
  special_name: [
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://a.localhost/",
    "https://localhost.localdomain/",
    "https://\uff4cocalhost/",
    "https://%6cocalhost/",
    "https://local\u00adhost/",
    "https://printer.local/",
    "https://vault.internal/",
    "https://metadata.google.internal/",
    "https://metadata/",
    "https://metadata.peyk.dev/",
    "https://router.home.arpa/",
    "https://1.0.0.127.in-addr.arpa/",
    "https://hooks.lan/",
    "https://hooks.LAN./",
    "https://x.intranet/",
    "https://x.corp/",
    "https://x.home/",
    "https://x.private/",
    "https://x.onion/",
    "https://x.alt/",
    "https://x.invalid/",
    "https://x.test/",
    "https://x.example/",
  ],
};

describe("refused spellings of a URL", () => {
  for (const [reason, urls] of Object.entries(refused)) {
    test(`${reason}: ${urls.length} spellings`, () => {
      expect(urls.map((url) => [url, outcomeOf(url)])).toEqual(urls.map((url) => [url, reason]));
    });
  }
});

describe("spellings of an address in a URL", () => {
  const spellings: Record<string, readonly string[]> = {
    "127.0.0.1": [
      "https://127.0.0.1/",
      "https://127.1/",
      "https://127.0.1/",
      "https://2130706433/",
      "https://0x7f000001/",
      "https://0x7F.0.0.1/",
      "https://0177.0.0.1/",
      "https://017700000001/",
      "https://0x7f.1/",
      "https://127.0.0.1./",
      "https://\uff11\uff12\uff17.0.0.1/",
      "https://\u2460\u2461\u2466.0.0.1/",
      "https://127\u30020\u30020\u30021/",
      "https://%31%32%37.0.0.1/",
      "https://127%2e0%2e0%2e1/",
      "https://127.0.0.1:443/",
    ],
    "0.0.0.0": ["https://0/", "https://0.0/", "https://0x0/", "https://00000000000/"],
    "169.254.169.254": [
      "https://169.254.169.254/",
      "https://2852039166/",
      "https://0xa9fea9fe/",
      "https://0251.0376.0251.0376/",
    ],
    "::1": ["https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[0000::0001]/", "https://[::0.0.0.1]/"],
    "::ffff:7f00:1": ["https://[::ffff:127.0.0.1]/", "https://[::FFFF:7F00:1]/", "https://[0:0:0:0:0:ffff:7f00:1]/"],
    "64:ff9b::7f00:1": ["https://[64:ff9b::127.0.0.1]/"],
  };
  for (const [address, urls] of Object.entries(spellings)) {
    test(`${urls.length} spellings of ${address} become that address, which the policy refuses`, () => {
      const destinations = urls.map((url) => parseDestination(url, nobody));
      expect(destinations.map(({ host, isAddress }) => ({ host, isAddress }))).toEqual(
        urls.map(() => ({ host: address, isAddress: true })),
      );
      expect(createAddressPolicy().refusalOf(address, [])).toBe("not_public");
    });
  }

  test("a public address is accepted and may be called", () => {
    const destination = parseDestination("https://8.8.8.8/hook", nobody);
    expect(destination).toEqual({
      href: "https://8.8.8.8/hook",
      host: "8.8.8.8",
      port: 443,
      target: "/hook",
      isAddress: true,
      isTrusted: false,
    });
    expect(parseDestination("https://[2606:4700::1]/", nobody).host).toBe("2606:4700::1");
  });
});

describe("accepted spellings of a URL, in canonical form", () => {
  const kept: readonly (readonly [string, string])[] = [
    ["https://peyk.dev", "https://peyk.dev/"],
    ["HTTPS://PEYK.dev/Hook", "https://peyk.dev/Hook"],
    ["https://peyk.dev:443/", "https://peyk.dev/"],
    ["https://peyk.dev./x", "https://peyk.dev./x"],
    ["https://peyk.dev?a=b", "https://peyk.dev/?a=b"],
    ["https://peyk.dev/a/../b/./c", "https://peyk.dev/b/c"],
    ["https://peyk.dev/%2e%2e/b", "https://peyk.dev/b"],
    ["https://peyk.dev/a@b?c=d@e", "https://peyk.dev/a@b?c=d@e"],
    ["https://fa\u00df.de/", "https://xn--fa-hia.de/"],
    ["https://\u067e\u06cc\u06a9.com/", "https://xn--3ib0gqe.com/"],
    ["https://exam\u3002ple.com/", "https://exam.ple.com/"],
    ["https://_hooks.peyk.dev/", "https://_hooks.peyk.dev/"],
    ["https://peyk.dev/\u067e\u06cc\u06a9", "https://peyk.dev/%D9%BE%DB%8C%DA%A9"],
    ["https://notlocalhost.dev/", "https://notlocalhost.dev/"],
    [`https://${name253}/`, `https://${name253}/`],
    [`https://${name253}./`, `https://${name253}./`],
    [`https://peyk.dev/${"a".repeat(2031)}`, `https://peyk.dev/${"a".repeat(2031)}`],
  ];
  test(`${kept.length} spellings`, () => {
    expect(kept.map(([raw]) => [raw, outcomeOf(raw)])).toEqual(kept.map(([raw, href]) => [raw, href]));
  });

  test("an accepted URL is canonical: reading it again changes nothing", () => {
    for (const [, href] of kept) expect(outcomeOf(href)).toBe(href);
  });

  test("a trailing dot never reaches the resolver or the certificate check", () => {
    expect(parseDestination("https://peyk.dev./", nobody).host).toBe("peyk.dev");
  });
});

describe("trusted destinations", () => {
  const trusted = parseTrustedDestinations([
    "10.1.2.3:9443",
    "127.0.0.1:9443",
    "hooks.lan:443",
    "[fd00::1]:9443",
    "db:8443",
    "Bank.Example:443",
  ]);

  test("only the listed host and port skip the port, name and address rules, in every spelling of the host", () => {
    const urls = [
      ..."https://10.1.2.3:9443/a https://127.1:9443/ https://0x7f000001:9443/ https://hooks.lan/ https://HOOKS.lan.:443/x".split(
        " ",
      ),
      ..."https://[fd00:0::1]:9443/ https://db:8443/ https://bank.example/".split(" "),
    ];
    expect(urls.filter((url) => !parseDestination(url, trusted).isTrusted)).toEqual([]);
  });

  test("another port or host is not trusted", () => {
    expect(outcomeOf("https://127.0.0.1:9444/", trusted)).toBe("port");
    expect(outcomeOf("https://hooks.lan:9443/", trusted)).toBe("port");
    expect(outcomeOf("https://x.hooks.lan/", trusted)).toBe("special_name");
    expect(outcomeOf("https://db/", trusted)).toBe("single_label");
    expect(parseDestination("https://10.1.2.3/", trusted).isTrusted).toBe(false);
    expect(parseDestination("https://127.0.0.1/", trusted).isTrusted).toBe(false);
  });

  test("every other rule still applies to them", () => {
    expect(outcomeOf("http://127.0.0.1:9443/", trusted)).toBe("not_https");
    expect(outcomeOf("https://user@127.0.0.1:9443/", trusted)).toBe("user_info");
    expect(outcomeOf("https://127.0.0.1:9443/#a", trusted)).toBe("fragment");
    expect(outcomeOf("https://127.0.0.1:09443/", trusted)).toBe("port");
  });

  test("an entry that is not host:port is an error", () => {
    for (const entry of [
      "",
      "hooks.lan",
      "hooks.lan:",
      ":443",
      "hooks.lan:0",
      "hooks.lan:65536",
      "https://hooks.lan:443",
      "a b:443",
      "u@h:443",
      "h:443/x",
    ]) {
      expect(() => parseTrustedDestinations([entry])).toThrow(InvalidTrustedDestination);
    }
    expect(parseTrustedDestinations(["h:1", "h:65535"]).size).toBe(2);
  });
});

describe("the callback URL of a message", () => {
  const listed = ["http://10.0.0.5:8000", "http://169.254.169.254"];
  const callbackOf = (raw: string): string => {
    try {
      return parseCallbackUrl(raw, listed).href;
    } catch (error) {
      if (error instanceof DestinationRefused) return error.reason;
      throw error;
    }
  };

  test("is accepted with a public address, or if its origin is listed", () => {
    expect(callbackOf("https://8.8.8.8/dlr")).toBe("https://8.8.8.8/dlr");
    expect(callbackOf("http://10.0.0.5:8000/dlr")).toBe("http://10.0.0.5:8000/dlr");
    const spellings = ["10.0.0.5", "127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[fd00::1]", "[::ffff:10.0.0.5]"];
    for (const host of spellings) expect(callbackOf(`https://${host}/dlr`)).toBe("not_public");
  });

  test("is refused with a link-local or metadata address, even if listed", () => {
    expect(callbackOf("http://169.254.169.254/latest")).toBe("not_public");
    expect(callbackOf("https://169.254.169.254/latest")).toBe("not_public");
    expect(callbackOf("https://[fe80::1]/")).toBe("not_public");
  });
});
