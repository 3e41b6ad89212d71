/** Every edge of every range of the address policy, on both sides, compared with arithmetic that does not use the parser. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createAddressPolicy, InvalidAddressRange } from "../../src/domain/address-policy.ts";

const policy = createAddressPolicy();
const refusalOf = (address: string) => policy.refusalOf(address, []);

const v4Denied = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(" "),
  ..."192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15".split(" "),
  ..."198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32".split(" "),
];
const v6Denied = "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20".split(" ");
const v6Outside = [
  ..."::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64".split(
    " ",
  ),
  ..."200::/7 400::/6 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8".split(" "),
];

interface Interval {
  first: bigint;
  last: bigint;
}

const v4Number = (text: string) => text.split(".").reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
const v4Text = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join(".");

function v6Number(text: string): bigint {
  const [head = "", tail = ""] = text.split("::");
  const words = (side: string) => (side === "" ? [] : side.split(":"));
  const missing = text.includes("::") ? 8 - words(head).length - words(tail).length : 0;
  const all = [...words(head), ...Array<string>(missing).fill("0"), ...words(tail)];
  return all.reduce((sum, word) => sum * 65536n + BigInt(`0x${word}`), 0n);
}
const v6Text = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(":");

function interval(range: string, toNumber: (text: string) => bigint, bits: bigint): Interval {
  const [base = "", length = ""] = range.split("/");
  const size = 1n << (bits - BigInt(length));
  return { first: toNumber(base), last: toNumber(base) + size - 1n };
}

const v4Intervals = v4Denied.map((range) => interval(range, v4Number, 32n));
const v6Intervals = v6Denied.map((range) => interval(range, v6Number, 128n));
const v6Allowed = interval("2000::/3", v6Number, 128n);
const inside = (value: bigint, { first, last }: Interval) => value >= first && value <= last;

const v4IsPublic = (value: bigint) => !v4Intervals.some((range) => inside(value, range));
const v6IsPublic = (value: bigint) => {
  const interfaceId = (value >> 32n) & 0xffffffffn;
  const isIsatap = interfaceId === 0x00005efen || interfaceId === 0x02005efen;
  return inside(value, v6Allowed) && !v6Intervals.some((range) => inside(value, range)) && !isIsatap;
};

describe("every edge of every address range", () => {
  for (const range of v4Denied) {
    test(`IPv4 ${range}: its first and last address are refused, and its neighbours are judged by their own range`, () => {
      const { first, last } = interval(range, v4Number, 32n);
      expect([refusalOf(v4Text(first)), refusalOf(v4Text(last))]).toEqual(["not_public", "not_public"]);
      for (const neighbour of [first - 1n, last + 1n].filter((value) => value >= 0n && value < 1n << 32n)) {
        expect([v4Text(neighbour), refusalOf(v4Text(neighbour)) === null]).toEqual([
          v4Text(neighbour),
          v4IsPublic(neighbour),
        ]);
      }
    });
  }

  for (const range of [...v6Denied, ...v6Outside]) {
    test(`IPv6 ${range}: its first and last address are refused, and its neighbours are judged by their own range`, () => {
      const { first, last } = interval(range, v6Number, 128n);
      expect([refusalOf(v6Text(first)), refusalOf(v6Text(last))]).toEqual(["not_public", "not_public"]);
      for (const neighbour of [first - 1n, last + 1n].filter((value) => value >= 0n && value < 1n << 128n)) {
        expect([v6Text(neighbour), refusalOf(v6Text(neighbour)) === null]).toEqual([
          v6Text(neighbour),
          v6IsPublic(neighbour),
        ]);
      }
    });
  }

  test("only 2000::/3 of IPv6 is allowed, up to its edges", () => {
    expect(refusalOf("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBe("not_public");
    expect(refusalOf("2000::")).toBeNull();
    expect(refusalOf("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).toBeNull();
    expect(refusalOf("4000::")).toBe("not_public");
  });

  test("public neighbours are really allowed", () => {
    const publicNeighbours = [
      ..."1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255".split(
        " ",
      ),
      ..."169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0 198.17.255.255".split(
        " ",
      ),
      ..."198.20.0.0 223.255.255.255 168.63.129.15 168.63.129.17 2001:200:: 2001:db7:ffff::1 2001:db9:: 2003::".split(
        " ",
      ),
    ];
    expect(publicNeighbours.filter((address) => refusalOf(address) !== null)).toEqual([]);
  });
});

describe("IPv4 inside IPv6", () => {
  const forms = {
    mapped: ["::ffff:8.8.8.8", "::ffff:808:808", "0:0:0:0:0:ffff:8.8.8.8"],
    compatible: ["::8.8.8.8", "::808:808"],
    translated: ["::ffff:0:8.8.8.8"],
    nat64: ["64:ff9b::8.8.8.8", "64:ff9b::a00:1", "64:ff9b:1::a00:1"],
    sixToFour: ["2002:808:808::1", "2002:a00:1::1", "2002:7f00:1::"],
    teredo: ["2001:0:808:808::1", "2001::a00:1"],
    isatap: ["2606:4700::5efe:a00:1", "2606:4700::200:5efe:8.8.8.8", "2a00::5efe:7f00:1"],
  };
  for (const [form, addresses] of Object.entries(forms)) {
    test(`${form} is refused, whatever it contains`, () => {
      expect(addresses.map(refusalOf)).toEqual(addresses.map(() => "not_public"));
    });
  }

  test("an interface id next to the ISATAP ones is an ordinary address", () => {
    for (const interfaceId of ["0:5efd", "0:5eff", "1ff:5efe", "201:5efe", "1:5efe"]) {
      expect(refusalOf(`2606:4700:0:0:${interfaceId}:808:808`)).toBeNull();
    }
  });
});

describe("this host's addresses and the operator's denied ranges", () => {
  test("an address of this host's interfaces is refused in any spelling, with or without a zone", () => {
    const own = ["93.184.216.34", "2606:2800:220:1:0:0:0:5%eth0"];
    expect(policy.refusalOf("93.184.216.34", own)).toBe("own_address");
    expect(policy.refusalOf("2606:2800:220:1::5", own)).toBe("own_address");
    expect(policy.refusalOf("93.184.216.35", own)).toBeNull();
  });

  test("the operator's ranges are refused up to their edges, and so are single addresses", () => {
    const strict = createAddressPolicy(["8.8.8.0/24", "2606:4700::/32", "1.1.1.1"]);
    for (const address of [
      "8.8.8.0",
      "8.8.8.255",
      "2606:4700::",
      "2606:4700:ffff:ffff:ffff:ffff:ffff:ffff",
      "1.1.1.1",
    ]) {
      expect([address, strict.refusalOf(address, [])]).toEqual([address, "operator_denied"]);
    }
    for (const address of ["8.8.7.255", "8.8.9.0", "2606:46ff:ffff::", "2606:4701::", "1.1.1.0", "1.1.1.2"]) {
      expect([address, strict.refusalOf(address, [])]).toEqual([address, null]);
    }
  });

  test("an unreadable range is an error, not a range that matches nothing", () => {
    for (const range of [
      "",
      "8.8.8.8/33",
      "8.8.8.8/",
      "8.8.8.8/-1",
      "8.8.8/24",
      "::/129",
      "a/8",
      "1.2.3.4/8/8",
      "010.0.0.0/8",
    ]) {
      expect(() => createAddressPolicy([range])).toThrow(InvalidAddressRange);
    }
  });
});

describe("the address policy", () => {
  test("reads only spellings that a resolver reads, and refuses everything else", () => {
    const spellings = [
      "",
      "localhost",
      "1.2.3",
      "8.8.8.8.",
      "0x8.8.8.8",
      "010.8.8.8",
      "134744072",
      "8.8.8.8/32",
      " 8.8.8.8",
    ];
    const v6Spellings = [
      "fe80::1%eth0",
      "2606:4700::1%1",
      "[2606:4700::1]",
      "2606:4700:::1",
      "12345::",
      "2606:4700::1::",
    ];
    for (const text of [...spellings, ...v6Spellings])
      expect([text, refusalOf(text)]).toEqual([text, "not_an_address"]);
  });

  test("judges any IPv4 address as the arithmetic does", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (value) => {
        expect(refusalOf(v4Text(value)) === null).toBe(v4IsPublic(value));
      }),
      { numRuns: 2_000 },
    );
  });

  test("judges any IPv6 address, most of them from 2000::/3, as the arithmetic does", () => {
    const anywhere = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
    const open = fc.bigInt({ min: v6Allowed.first, max: v6Allowed.last });
    fc.assert(
      fc.property(fc.oneof(anywhere, open, open), (value) => {
        expect(refusalOf(v6Text(value)) === null).toBe(v6IsPublic(value));
      }),
      { numRuns: 2_000 },
    );
  });
});
