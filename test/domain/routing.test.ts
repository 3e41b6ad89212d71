/** Rules of routing: ranges of numbers, networks, what a rule matches, unreachable rules, shares by weight. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isInCountries, NumberOrigin } from "../../src/domain/country.ts";
import { iranNetworks } from "../../src/domain/iran-networks.ts";
import { type MessageClass, messageClasses } from "../../src/domain/message.ts";
import { NetworkRanges, type OwnedRange } from "../../src/domain/network-ranges.ts";
import {
  isInRange,
  type NumberRange,
  numberPosition,
  parseNumberRange,
  rangeOfPrefix,
  rangeText,
} from "../../src/domain/number-range.ts";
import { regions } from "../../src/domain/phone-number.ts";
import { matchesRule, type RuleMatch } from "../../src/domain/routing-rule.ts";
import { ruleFaults } from "../../src/domain/rule-cover.ts";
import { RuleFinder } from "../../src/domain/rule-finder.ts";
import { WeightedShares } from "../../src/domain/weighted-shares.ts";

const digits = (minLength: number, maxLength: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength, maxLength })
    .map((list) => list.join(""))
    .filter((text) => /^[1-9]/.test(text));

describe("a range of numbers", () => {
  test("contains exactly the numbers that begin with its prefix", () => {
    fc.assert(
      fc.property(digits(1, 8), digits(8, 15), (prefix, number) => {
        const range = rangeOfPrefix(prefix);
        expect(isInRange(range, numberPosition(`+${number}`))).toBe(number.startsWith(prefix));
        expect(isInRange(range, numberPosition(`+${prefix}`.padEnd(12, "7")))).toBe(true);
      }),
    );
  });

  test("is written as it was read", () => {
    fc.assert(
      fc.property(digits(1, 12), digits(1, 12), (from, to) => {
        const text = from.length === to.length && from <= to ? `+${from}-+${to}` : `+${from}`;
        const range = parseNumberRange(text);
        expect(range).not.toBeNull();
        expect(parseNumberRange(rangeText(range ?? rangeOfPrefix("")))).toEqual(range);
      }),
    );
    const written = (text: string) => rangeText(parseNumberRange(text) ?? rangeOfPrefix("1"));
    expect(written("+98912")).toBe("+98912");
    expect(written("+989")).toBe("+989");
    expect(written("+980")).toBe("+980");
    expect(written("+989120000000-+989124999999")).toBe("+989120-+989124");
  });

  test.each(["", "98912", "+", "+0912", "+98912-+9891", "+98913-+98912", "+98912-", "+98912x", "+1234567890123456"])(
    "%p is refused as a range",
    (text) => expect(parseNumberRange(text)).toBeNull(),
  );
});

describe("networks", () => {
  const iran = iranNetworks.flatMap(({ id, prefixes }) =>
    prefixes.map((prefix) => ({ networkId: id, ...rangeOfPrefix(prefix) })),
  );
  const nameOf = (number: string) => {
    const id = new NetworkRanges([iran]).networkAt(numberPosition(number));
    return iranNetworks.find((network) => network.id === id)?.name ?? null;
  };

  test.each([
    ["+989121234567", "IR-MCI"],
    ["+989351234567", "Irancell"],
    ["+989311234567", "MTCE"],
    ["+989201234567", "Rightel"],
    ["+989341234567", "TeleKish"],
    ["+989981234567", "Shatel Mobile"],
    ["+989993123456", "Aptel"],
    ["+989999612345", "Rightel"],
    ["+982112345678", null],
    ["+905321234567", null],
  ])("%s belongs to %p", (number, name) => expect(nameOf(number)).toBe(name));

  test("the longest prefix decides within a layer, and a later layer overrides an earlier one", () => {
    const layer = fc.uniqueArray(fc.tuple(digits(1, 4), fc.integer({ min: 1, max: 5 })), {
      maxLength: 12,
      selector: ([prefix]) => prefix,
    });
    fc.assert(
      fc.property(layer, layer, digits(4, 15), (lower, upper, number) => {
        const owned = (entries: [string, number][]): OwnedRange[] =>
          entries.map(([prefix, networkId]) => ({ networkId, ...rangeOfPrefix(prefix) }));
        const longest = (entries: [string, number][]) =>
          entries
            .filter(([prefix]) => number.startsWith(prefix))
            .sort(([a], [b]) => b.length - a.length)
            .at(0)?.[1];
        const ranges = new NetworkRanges([owned(lower), owned(upper)]);
        const position = numberPosition(`+${number}`);
        const expected = longest(upper) ?? longest(lower) ?? 0;
        expect(ranges.networkAt(position)).toBe(expected);
        if (expected !== 0) expect(ranges.of(expected).filter((range) => isInRange(range, position))).toHaveLength(1);
      }),
    );
  });
});

const anything: RuleMatch = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };

describe("a routing rule", () => {
  const message = { accountId: 1, class: messageClasses.single, recipient: "+989121234567", network: 1 };

  test.each<[string, Partial<RuleMatch>, boolean]>([
    ["nothing", {}, true],
    ["its country", { countries: ["IR"] }, true],
    ["another country", { countries: ["TR", "US"] }, false],
    ["its range", { ranges: [rangeOfPrefix("98912")] }, true],
    ["another range", { ranges: [rangeOfPrefix("98913")] }, false],
    ["its network", { networks: [2, 1] }, true],
    ["another network", { networks: [2] }, false],
    ["another network, or its country", { networks: [2], countries: ["IR"] }, true],
    ["its class", { classes: [messageClasses.single] }, true],
    ["its network but another class", { networks: [1], classes: [messageClasses.otp] }, false],
    ["its network but another account", { networks: [1], accounts: [2] }, false],
    ["everything of it", { networks: [1], classes: [messageClasses.single], accounts: [2, 1] }, true],
  ])("that names %s matches or not as expected", (_, match, expected) =>
    expect(matchesRule({ ...anything, ...match }, message)).toBe(expected),
  );

  test("matches exactly what fits one of its numbers, classes and accounts", () => {
    const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
    const prefixes = some(["98912", "98935", "989", "9055", "1212", "98"]);
    const classes: MessageClass[] = [0, 1, 2];
    const asked = fc.record({
      recipient: fc.constantFrom("+989121234567", "+989351234567", "+989201234567", "+905551234567", "+12125551234"),
      class: fc.constantFrom(...classes),
      accountId: fc.integer({ min: 1, max: 3 }),
      network: fc.integer({ min: 0, max: 3 }),
    });
    const countryOf: Record<string, string> = { "+98": "IR", "+90": "TR", "+12": "US" };
    const lists = fc.tuple(some(["IR", "TR", "US"]), prefixes, some([1, 2, 3]), some(classes), some([1, 2, 3]));
    fc.assert(
      fc.property(lists, asked, ([countries, written, networks, takenClasses, accounts], one) => {
        const rule = { countries, ranges: written.map(rangeOfPrefix), networks, classes: takenClasses, accounts };
        const byCountry = countries.includes(countryOf[one.recipient.slice(0, 3)] ?? "");
        const byPrefix = written.some((prefix) => one.recipient.startsWith(prefix, 1));
        const numbers = [...countries, ...written, ...networks];
        const expected =
          (numbers.length === 0 || byCountry || byPrefix || networks.includes(one.network)) &&
          (takenClasses.length === 0 || takenClasses.includes(one.class)) &&
          (accounts.length === 0 || accounts.includes(one.accountId));
        expect(matchesRule(rule, one)).toBe(expected);
      }),
    );
  });

  test("tells the countries of a shared calling code apart", () => {
    const american = { ...message, recipient: "+12125551234", network: 0 };
    expect(matchesRule({ ...anything, countries: ["US"] }, american)).toBe(true);
    expect(matchesRule({ ...anything, countries: ["CA"] }, american)).toBe(false);
  });

  test.each([
    "+989121234567",
    "+905551234567",
    "+12125551234",
    "+12042345678",
    "+77012345678",
    "+447911123456",
    "+9990",
  ])("finds the same countries for %s as an account's list of countries, however many are asked", (number) => {
    const origin = new NumberOrigin(number);
    const asked = [...regions, ...regions.toReversed(), "XX"];
    expect(asked.filter((country) => origin.isOf(country))).toEqual(
      asked.filter((country) => isInCountries(number, new Set([country]))),
    );
  });
});

describe("the search for a plan's rule", () => {
  test("finds the same rule as trying each in turn, however ranges and countries overlap", () => {
    const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });
    const classes: MessageClass[] = [0, 1, 2];
    const end = digits(2, 9);
    const range = fc.oneof(
      end.map(rangeOfPrefix),
      fc.tuple(end, end).map(([a, b]) => {
        const [one, other] = [rangeOfPrefix(a), rangeOfPrefix(b)];
        return { first: Math.min(one.first, other.first), last: Math.max(one.last, other.last) };
      }),
    );
    const rule = fc.record({
      countries: some(["IR", "TR", "US", "CA", "RU", "KZ", "XX"]),
      ranges: fc.array(range, { maxLength: 3 }),
      networks: some([1, 2, 3]),
      classes: some(classes),
      accounts: some([1, 2, 3]),
    });
    const mobile = fc
      .tuple(fc.constantFrom("98912", "90555", "1212", "1204", "7701"), digits(7, 7))
      .map(([a, b]) => a + b);
    const message = fc.record({
      recipient: fc.oneof(digits(1, 15), mobile).map((number) => `+${number}`),
      class: fc.constantFrom(...classes),
      accountId: fc.integer({ min: 1, max: 4 }),
      network: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 12 }),
        fc.array(message, { minLength: 1, maxLength: 30 }),
        (rules, asked) => {
          const finder = new RuleFinder(rules);
          // Includes numbers at both ends of a range.
          const ends = rules.flatMap(({ ranges }) =>
            ranges.flatMap(({ first, last }) => [first - 1, first, last, last + 1]),
          );
          const [one] = asked;
          const atEnds = ends.filter((at) => at > 1e14 && at < 1e15).map((at) => ({ ...one, recipient: `+${at}` }));
          for (const each of [...asked, ...asked, ...atEnds]) {
            const wanted = { accountId: 1, class: messageClasses.single, network: 0, ...each };
            expect(finder.find(wanted)).toBe(rules.findIndex((match) => matchesRule(match, wanted)));
          }
        },
      ),
    );
  });
});

describe("rules that no message can reach", () => {
  const rule = (match: Partial<RuleMatch>): RuleMatch => ({ ...anything, ...match });
  const networkRanges = new Map<number, NumberRange[]>([
    [1, [rangeOfPrefix("11"), rangeOfPrefix("121")]],
    [2, [rangeOfPrefix("12")].map(({ first }) => ({ first, last: rangeOfPrefix("120").last }))],
  ]);
  const rangesOf = (id: number) => networkRanges.get(id) ?? [];

  test("are reported with the rules that match everything first", () => {
    const rules = [
      rule({ ranges: [rangeOfPrefix("98912")] }),
      rule({ ranges: [rangeOfPrefix("98913")] }),
      rule({ ranges: [{ first: rangeOfPrefix("989120").first, last: rangeOfPrefix("989139").last }] }),
      rule({ networks: [9] }),
      rule({ countries: ["IR"], classes: [messageClasses.otp] }),
      rule({ countries: ["IR"] }),
      rule({ ranges: [rangeOfPrefix("98935")], accounts: [4] }),
      rule({}),
      rule({ countries: ["US"] }),
    ];
    expect(ruleFaults(rules, rangesOf)).toEqual([
      null,
      null,
      { kind: "shadowed", by: [0, 1] },
      { kind: "empty" },
      null,
      null,
      { kind: "shadowed", by: [4, 5] },
      null,
      { kind: "shadowed", by: [7] },
    ]);
  });

  test("do not include countries of one calling code, which do not shadow each other", () => {
    const [us, canada, both] = [
      rule({ countries: ["US"] }),
      rule({ countries: ["CA"] }),
      rule({ countries: ["US", "CA"] }),
    ];
    expect(ruleFaults([us, canada, both], rangesOf)).toEqual([null, null, { kind: "shadowed", by: [0, 1] }]);
  });

  test("are exactly those that match no combination of number, class and account", () => {
    const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });
    const prefixes = ["1", "11", "12", "2", "123", "119", "9", "1219"];
    const match = fc.record({
      countries: fc.constant([]),
      ranges: some(prefixes).map((list) => list.map(rangeOfPrefix)),
      networks: some([1, 2, 3]),
      classes: some<MessageClass>([0, 1, 2]),
      accounts: some([1, 2]),
    });
    const numbers = Array.from({ length: 9_000 }, (_, index) => `+${index + 1_000}`);
    const networkOf = (position: number) =>
      [1, 2].find((id) => rangesOf(id).some((range) => isInRange(range, position))) ?? 0;
    const classes: MessageClass[] = [0, 1, 2];
    const all = numbers.flatMap((recipient) => {
      const network = networkOf(numberPosition(recipient));
      return classes.flatMap((one) => [1, 2, 3].map((accountId) => ({ recipient, network, class: one, accountId })));
    });
    fc.assert(
      fc.property(fc.array(match, { minLength: 1, maxLength: 5 }), (rules) => {
        const taken = rules.map(() => false);
        for (const message of all) {
          const first = rules.findIndex((one) => matchesRule(one, message));
          if (first >= 0) taken[first] = true;
        }
        expect(ruleFaults(rules, rangesOf).map((fault) => fault === null)).toEqual(taken);
      }),
      { numRuns: 20 },
    );
  });
});

describe("weighted shares", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 6 });
  const messages = fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 400 });

  test("are exact in parts: after any messages no share is off by more than the bound", () => {
    fc.assert(
      fc.property(weights, messages, (weighed, parts) => {
        const shares = new WeightedShares(weighed);
        const sum = weighed.reduce((a, b) => a + b, 0);
        const given = weighed.map(() => 0);
        let total = 0;
        let largest = 0;
        const bound = () => (largest * (weighed.length - 1)) / weighed.length;
        for (const count of parts) {
          const next = shares.next(count);
          expect(shares.take(count)).toBe(next);
          given[next] = (given[next] ?? 0) + count;
          total += count;
          largest = Math.max(largest, count);
          for (const [index, weight] of weighed.entries()) {
            const over = (given[index] ?? 0) - (total * weight) / sum;
            expect(over).toBeLessThanOrEqual(bound() + 1e-6);
            expect(-over).toBeLessThanOrEqual(bound() * (weighed.length - 1) + 1e-6);
          }
        }
      }),
    );
  });

  test("alternate smoothly: two to one never gives three in a row", () => {
    const shares = new WeightedShares([2, 1]);
    expect(Array.from({ length: 9 }, () => shares.take(1)).join("")).toBe("010010010");
  });
});
