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

export class PriceList {
  /** By prefix, the latest first. */
  readonly #lines: ReadonlyMap<string, readonly PriceLine[]>;
  /** Of its prefixes, the longest first. */
  readonly #lengths: readonly number[];

  constructor(readonly lines: readonly PriceLine[]) {
    const latestFirst = lines.toSorted((a, b) => b.validFrom - a.validFrom);
    this.#lines = Map.groupBy(latestFirst, ({ prefix }) => prefix);
    this.#lengths = [...new Set(lines.map(({ prefix }) => prefix.length))].sort((a, b) => b - a);
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
    return this.#lines.get(prefix)?.find(({ validFrom }) => validFrom <= at) ?? null;
  }
}
