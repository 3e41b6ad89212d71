/** What a routing plan's rule matches: messages to some numbers, of some classes, of some accounts. */
import { NumberOrigin } from "./country.ts";
import type { MessageClass } from "./message.ts";
import { isInRange, type NumberRange, numberPosition } from "./number-range.ts";

/**
 * A message matches if its number is in any of the countries, ranges and networks, and its class and account are in
 * their lists. An empty list matches everything; countries, ranges and networks count as one list.
 */
export interface RuleMatch {
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries: readonly string[];
  readonly ranges: readonly NumberRange[];
  readonly networks: readonly number[];
  readonly classes: readonly MessageClass[];
  readonly accounts: readonly number[];
}

/** The fields of a message that a rule checks. */
export interface RoutedMessage {
  accountId: number;
  class: MessageClass;
  /** E.164. */
  recipient: string;
  /** 0: unknown. */
  network: number;
}

export const isAnyNumber = ({ countries, ranges, networks }: RuleMatch): boolean =>
  countries.length === 0 && ranges.length === 0 && networks.length === 0;

/** What a plan's rules need to know about a number: each answer is computed once, however many rules there are. */
export class RoutedNumber {
  readonly origin: NumberOrigin;
  #position: number | null = null;

  constructor(private readonly e164: string) {
    this.origin = new NumberOrigin(e164);
  }

  get position(): number {
    this.#position ??= numberPosition(this.e164);
    return this.#position;
  }
}

export function matchesRule(
  match: RuleMatch,
  message: RoutedMessage,
  number = new RoutedNumber(message.recipient),
): boolean {
  const { classes, accounts } = match;
  if (classes.length > 0 && !classes.includes(message.class)) return false;
  if (accounts.length > 0 && !accounts.includes(message.accountId)) return false;
  return isAnyNumber(match) || fitsNumber(match, message.network, number);
}

function fitsNumber({ countries, ranges, networks }: RuleMatch, network: number, number: RoutedNumber): boolean {
  if (network !== 0 && networks.includes(network)) return true;
  for (const range of ranges) if (isInRange(range, number.position)) return true;
  for (const country of countries) if (number.origin.isOf(country)) return true;
  return false;
}
