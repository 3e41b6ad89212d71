/** A price list: what a part costs by the beginning of the number, and from when on. */

/** `amount`: of a part, in the currency's smallest unit. `validFrom`: epoch milliseconds. */
export interface PriceLine {
  /** The first digits of an E.164 number, without the plus; empty for every number. */
  prefix: string;
  validFrom: number;
  amount: number;
}

/** E.164 has at most as many digits. */
export const prefixLengthMax = 15;
/** Of a part: with it no sum of a month leaves what a number holds exactly. */
export const amountMax = 1_000_000_000;

/** Of a top-up or a correction. A thousand such make what a number holds exactly. */
export const entryMax = 1_000_000_000_000;

/** In the order of a list: by prefix, and from the earliest on. */
export const byPrefixAndTime = (a: PriceLine, b: PriceLine): number =>
  a.prefix === b.prefix ? a.validFrom - b.validFrom : a.prefix < b.prefix ? -1 : 1;

export class PriceList {
  readonly #lines: PriceLine[] = [];
  /** By prefix, the latest first. */
  readonly #byPrefix = new Map<string, PriceLine[]>();
  /** Of its prefixes, the longest first. */
  #lengths: readonly number[] = [];

  constructor(lines: Iterable<PriceLine> = []) {
    for (const line of lines) this.put(line);
  }

  /** By prefix, and from the earliest on. */
  get lines(): readonly PriceLine[] {
    return this.#lines;
  }

  /** In place of a line for the same prefix from the same time. Quickest in the order of the list: a line that comes last is only added. */
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

  /** Removes the lines of a prefix, or the one of a time. */
  remove(prefix: string, validFrom: number | null): void {
    const isRemoved = (line: PriceLine) =>
      line.prefix === prefix && (validFrom === null || line.validFrom === validFrom);
    const first = this.#lines.findIndex(isRemoved);
    // They stand beside each other.
    this.#lines.splice(Math.max(first, 0), this.#lines.filter(isRemoved).length);
    const left = this.linesOf(prefix).filter((line) => !isRemoved(line));
    if (left.length > 0) this.#byPrefix.set(prefix, left);
    else this.#byPrefix.delete(prefix);
    this.#lengths = [...new Set(this.#byPrefix.keys().map(({ length }) => length))].sort((a, b) => b - a);
  }

  /** Of this very prefix, the latest first. */
  linesOf(prefix: string): readonly PriceLine[] {
    return this.#byPrefix.get(prefix) ?? [];
  }

  /** The line of the longest prefix that is valid at `at`; null where there is none. `recipient`: E.164. */
  lineFor(recipient: string, at: number): PriceLine | null {
    for (const length of this.#lengths) {
      const line = this.lineOf(recipient.slice(1, length + 1), at);
      if (line !== null) return line;
    }
    return null;
  }

  /** The line of this very prefix that is valid at `at`. */
  lineOf(prefix: string, at: number): PriceLine | null {
    return this.linesOf(prefix).find(({ validFrom }) => validFrom <= at) ?? null;
  }
}

const latestFirst = (a: PriceLine, b: PriceLine): number => b.validFrom - a.validFrom;

/** Into lines in this order, where its equal is replaced. */
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
