/** Finds rules of a routing plan that no message can reach: numbers are cut where any rule begins or ends, and each piece is asked for. */
import { callingCodeOf, sharesCallingCode } from "./country.ts";
import { type MessageClass, messageClasses } from "./message.ts";
import { isInRange, type NumberRange, rangeOfPrefix } from "./number-range.ts";
import { isAnyNumber, type RuleMatch } from "./routing-rule.ts";

/** `shadowed`: rules before it take all that it would take; `by`: their indexes. `empty`: no number fits it at all. */
export type RuleFault = { kind: "shadowed"; by: readonly number[] } | { kind: "empty" };

/** Messages that every rule treats alike. */
interface Cell {
  /** A position among all numbers (see `numberPosition`). */
  position: number;
  /** Of the countries that share a calling code; null: another one of them, or none. */
  country: string | null;
  class: MessageClass;
  /** Null: an account that no rule names. */
  accountId: number | null;
}

/** A fault or null for each rule, in order. `rangesOf`: the numbers of a network. */
export function ruleFaults(
  rules: readonly RuleMatch[],
  rangesOf: (networkId: number) => readonly NumberRange[],
): (RuleFault | null)[] {
  const tests = rules.map((rule) => cellTest(rule, rangesOf));
  const reached = rules.map(() => false);
  const takers = rules.map(() => new Set<number>());
  for (const cell of cellsOf(rules, rangesOf)) {
    const fitting = tests.flatMap((test, index) => (test(cell) ? [index] : []));
    const [first, ...later] = fitting;
    if (first === undefined) continue;
    reached[first] = true;
    for (const index of later) takers[index]?.add(first);
  }
  return rules.map((_, index) => {
    if (reached[index]) return null;
    const by = [...(takers[index] ?? [])].sort((a, b) => a - b);
    return by.length === 0 ? { kind: "empty" } : { kind: "shadowed", by };
  });
}

function cellTest(rule: RuleMatch, rangesOf: (networkId: number) => readonly NumberRange[]): (cell: Cell) => boolean {
  const ranges = [...rule.ranges, ...rule.networks.flatMap((id) => [...rangesOf(id)])];
  const countries = rule.countries.flatMap((country) => {
    const range = countryRange(country);
    return range === null ? [] : [{ country, range, isShared: sharesCallingCode(country) }];
  });
  return ({ position, country, class: messageClass, accountId }) => {
    if (rule.classes.length > 0 && !rule.classes.includes(messageClass)) return false;
    if (rule.accounts.length > 0 && (accountId === null || !rule.accounts.includes(accountId))) return false;
    return (
      isAnyNumber(rule) ||
      ranges.some((range) => isInRange(range, position)) ||
      countries.some((one) => isInRange(one.range, position) && (!one.isShared || one.country === country))
    );
  };
}

function countryRange(country: string): NumberRange | null {
  const code = callingCodeOf(country);
  return code === null ? null : rangeOfPrefix(code);
}

function* cellsOf(rules: readonly RuleMatch[], rangesOf: (networkId: number) => readonly NumberRange[]) {
  const named = [...new Set(rules.flatMap(({ countries }) => countries))];
  const networks = new Set(rules.flatMap((rule) => rule.networks));
  const ranges = [
    ...rules.flatMap((rule) => rule.ranges),
    ...[...networks].flatMap((id) => [...rangesOf(id)]),
    ...named.flatMap((country) => countryRange(country) ?? []),
  ];
  const shared = named.filter(sharesCallingCode);
  const accountIds = [...new Set(rules.flatMap(({ accounts }) => accounts)), null];
  // Every piece between two of these lies in a range as a whole or not at all, so its first number speaks for it.
  const cuts = new Set([0, ...ranges.flatMap(({ first, last }) => [first, last + 1])]);
  for (const position of cuts) {
    const here = shared.filter((country) => {
      const range = countryRange(country);
      return range !== null && isInRange(range, position);
    });
    for (const country of [...here, null]) {
      for (const messageClass of Object.values(messageClasses)) {
        for (const accountId of accountIds) yield { position, country, class: messageClass, accountId };
      }
    }
  }
}
