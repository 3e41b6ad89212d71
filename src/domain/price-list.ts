/** A price list: the price of a part by number prefix and start time. */

/** `amount`: per part, in the currency's smallest unit. `validFrom`: epoch milliseconds. */
export interface PriceLine {
  /** The leading digits of an E.164 number, without the plus; empty for every number. */
  prefix: string;
  validFrom: number;
  amount: number;
}

/** The maximum number of digits in E.164. */
export const prefixLengthMax = 15;
/** Per part: with this limit, no monthly total exceeds the exact range of a number. */
export const amountMax = 1_000_000_000;

/** Reading a file stops here: it is probably the wrong one. */
export const problemsMax = 1_000;
/** Large enough for worldwide prices by network, some fifty thousand lines. */
export const priceFileCharactersMax = 1024 * 1024;

/** When an account that is charged pays. */
export const billingModes = ["postpaid", "prepaid"] as const;

/** For a top-up or a correction. A number holds the sum of a thousand of these exactly. */
export const entryMax = 1_000_000_000_000;

/** The order of a list: by prefix, earliest first. */
export const byPrefixAndTime = (a: PriceLine, b: PriceLine): number =>
  a.prefix === b.prefix ? a.validFrom - b.validFrom : a.prefix < b.prefix ? -1 : 1;

export class PriceList {
  readonly #lines: PriceLine[] = [];
  /** By prefix, latest first. */
  readonly #byPrefix = new Map<string, PriceLine[]>();
  /** The lengths of its prefixes, longest first. */
  #lengths: readonly number[] = [];

  constructor(lines: Iterable<PriceLine> = []) {
    for (const line of lines) this.put(line);
  }

  /** By prefix, earliest first. */
  get lines(): readonly PriceLine[] {
    return this.#lines;
  }

  /**
   * Replaces a line with the same prefix and start time. Fastest in list order: a line that sorts last is simply
   * appended.
   */
  put(line: PriceLine): void {
    putAt(this.#lines, line, byPrefixAndTime);
    const ofPrefix = this.#byPrefix.get(line.prefix);
    if (ofPrefix !== undefined) {
      putAt(ofPrefix, line, latestFirst);
      return;
    }
    this.#byPrefix.set(line.prefix, [line]);
    const { length } = line.prefix;
    if (!this.#lengths.includes(length)) this.#lengths = [...this.#lengths, length].sort((a, b) => b - a);
  }

  /** Removes all lines of a prefix, or the one with this start time. */
  remove(prefix: string, validFrom: number | null): void {
    const isRemoved = (line: PriceLine) =>
      line.prefix === prefix && (validFrom === null || line.validFrom === validFrom);
    const first = this.#lines.findIndex(isRemoved);
    // They are adjacent.
    this.#lines.splice(Math.max(first, 0), this.#lines.filter(isRemoved).length);
    const left = this.linesOf(prefix).filter((line) => !isRemoved(line));
    if (left.length > 0) this.#byPrefix.set(prefix, left);
    else this.#byPrefix.delete(prefix);
    this.#lengths = [...new Set(this.#byPrefix.keys().map(({ length }) => length))].sort((a, b) => b - a);
  }

  /** The lines of exactly this prefix, latest first. */
  linesOf(prefix: string): readonly PriceLine[] {
    return this.#byPrefix.get(prefix) ?? [];
  }

  /** The line of the longest matching prefix that is valid at `at`; null if there is none. `recipient`: E.164. */
  lineFor(recipient: string, at: number): PriceLine | null {
    for (const length of this.#lengths) {
      const line = this.lineOf(recipient.slice(1, length + 1), at);
      if (line !== null) return line;
    }
    return null;
  }

  /** True if numbers that begin with these digits may differ in price. */
  tellsApart(digits: string): boolean {
    let [from, to] = [0, this.#lines.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#lines[middle]?.prefix ?? "") <= digits) from = middle + 1;
      else to = middle;
    }
    return this.#lines[from]?.prefix.startsWith(digits) === true;
  }

  /** The line of exactly this prefix that is valid at `at`. */
  lineOf(prefix: string, at: number): PriceLine | null {
    return this.linesOf(prefix).find(({ validFrom }) => validFrom <= at) ?? null;
  }
}

const latestFirst = (a: PriceLine, b: PriceLine): number => b.validFrom - a.validFrom;

/** Inserts into lines sorted this way, replacing an equal one. */
function putAt(lines: PriceLine[], line: PriceLine, compare: (a: PriceLine, b: PriceLine) => number): void {
  let [from, to] = [0, lines.length];
  const last = lines.at(-1);
  if (last !== undefined && compare(last, line) < 0) from = to;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const present = lines[middle];
    if (present !== undefined && compare(present, line) < 0) from = middle + 1;
    else to = middle;
  }
  const found = lines[from];
  lines.splice(from, found !== undefined && compare(found, line) === 0 ? 1 : 0, line);
}
