/**
 * Finds rules of a routing plan that no message can reach: divides all numbers where any rule begins or ends, and
 * checks each piece.
 */
import { countryRange, sharesCallingCode } from "./country.ts";
import { messageClasses } from "./message.ts";
import { isInRange, type NumberRange } from "./number-range.ts";
import { isAnyNumber, type RuleMatch } from "./routing-rule.ts";

/** `shadowed`: earlier rules match everything it would; `by`: their indexes. `empty`: it matches no number at all. */
export type RuleFault = { kind: "shadowed"; by: readonly number[] } | { kind: "empty" };

type RangesOf = (networkId: number) => readonly NumberRange[];

/** Numbers that every rule treats alike. */
interface NumberCell {
  /** A position among all numbers (see `numberPosition`). */
  position: number;
  /** For countries that share a calling code; null: another one of them, or none. */
  country: string | null;
}

/** A fault or null for each rule, in order. `rangesOf`: the numbers of a network. */
export function ruleFaults(rules: readonly RuleMatch[], rangesOf: RangesOf): (RuleFault | null)[] {
  const tests = rules.map((rule) => numberTest(rule, rangesOf));
  const accountsOf = accountsToAsk(rules);
  const reached = rules.map(() => false);
  const takers = rules.map(() => new Set<number>());
  for (const cell of numberCells(rules, rangesOf)) {
    const here = [...rules.entries()].filter(([index]) => tests[index]?.(cell));
    for (const messageClass of Object.values(messageClasses)) {
      const ofClass = here.filter(([, { classes }]) => classes.length === 0 || classes.includes(messageClass));
      const accountIds = new Set(ofClass.flatMap(([index]) => accountsOf[index] ?? []));
      for (const accountId of [...accountIds, null]) {
        const [first, ...later] = ofClass.filter(([, rule]) => takesAccount(rule, accountId));
        if (first === undefined) continue;
        reached[first[0]] = true;
        for (const [index] of later) takers[index]?.add(first[0]);
      }
    }
  }
  return rules.map((_, index) => {
    if (reached[index]) return null;
    const by = [...(takers[index] ?? [])].sort((a, b) => a - b);
    return by.length === 0 ? { kind: "empty" } : { kind: "shadowed", by };
  });
}

const takesAccount = ({ accounts }: RuleMatch, accountId: number | null): boolean =>
  accounts.length === 0 || (accountId !== null && accounts.includes(accountId));

/** The accounts named by each rule; of accounts named by the same rules, one represents all. */
function accountsToAsk(rules: readonly RuleMatch[]): number[][] {
  const naming = rules.flatMap(({ accounts }, index) => accounts.map((id) => ({ id, index })));
  const byAccount = Map.groupBy(naming, ({ id }) => id);
  const byRules = new Map([...byAccount].map(([id, list]) => [list.map(({ index }) => index).join(), id]));
  const asked = new Set(byRules.values());
  return rules.map(({ accounts }) => accounts.filter((id) => asked.has(id)));
}

function numberTest(rule: RuleMatch, rangesOf: RangesOf): (cell: NumberCell) => boolean {
  if (isAnyNumber(rule)) return () => true;
  const ranges = [...rule.ranges, ...rule.networks.flatMap((id) => [...rangesOf(id)])];
  const countries = rule.countries.flatMap((country) => {
    const range = countryRange(country);
    return range === null ? [] : [{ country, range, isShared: sharesCallingCode(country) }];
  });
  return ({ position, country }) =>
    ranges.some((range) => isInRange(range, position)) ||
    countries.some((one) => isInRange(one.range, position) && (!one.isShared || one.country === country));
}

function* numberCells(rules: readonly RuleMatch[], rangesOf: RangesOf): Generator<NumberCell> {
  const countries = [...new Set(rules.flatMap((rule) => rule.countries))];
  const networks = [...new Set(rules.flatMap((rule) => rule.networks))];
  const ranges = [
    ...rules.flatMap((rule) => rule.ranges),
    ...networks.flatMap((id) => [...rangesOf(id)]),
    ...countries.flatMap((country) => countryRange(country) ?? []),
  ];
  const shared = countries.filter(sharesCallingCode);
  // Every piece between two of these is inside or outside a range as a whole, so its first number represents it.
  const cuts = new Set([0, ...ranges.flatMap(({ first, last }) => [first, last + 1])]);
  for (const position of cuts) {
    const here = shared.filter((country) => {
      const range = countryRange(country);
      return range !== null && isInRange(range, position);
    });
    for (const country of [...here, null]) yield { position, country };
  }
}
