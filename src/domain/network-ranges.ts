/** Finds the network of a number. Ranges may lie within others: the narrower one decides, as with prefixes of a numbering plan. */
import type { NumberRange } from "./number-range.ts";

export interface OwnedRange extends NumberRange {
  readonly networkId: number;
}

/** Ranges without overlap, sorted, so that a number is found in a few steps. */
export class NetworkRanges {
  readonly #firsts: readonly number[];
  readonly #ranges: readonly OwnedRange[];

  /** Ranges of a later layer decide over those of an earlier one; within a layer they lie apart, or within one another. */
  constructor(layers: readonly (readonly OwnedRange[])[]) {
    const width = ({ first, last }: NumberRange) => last - first;
    const widestFirst = layers.flatMap((layer) => layer.toSorted((a, b) => width(b) - width(a)));
    this.#ranges = widestFirst.reduce<readonly OwnedRange[]>(covered, []).toSorted((a, b) => a.first - b.first);
    this.#firsts = this.#ranges.map(({ first }) => first);
  }

  /** Of the number at this position (see `numberPosition`); 0 where it is not known. */
  networkAt(position: number): number {
    let low = 0;
    let high = this.#firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firsts[middle] ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low - 1];
    return range !== undefined && position <= range.last ? range.networkId : 0;
  }

  of(networkId: number): NumberRange[] {
    return this.#ranges.filter((range) => range.networkId === networkId);
  }
}

/** What is left of the ranges beside another one, and that one. */
function covered(ranges: readonly OwnedRange[], over: OwnedRange): OwnedRange[] {
  const left = ranges.flatMap((range) => {
    if (range.last < over.first || over.last < range.first) return [range];
    const before = { ...range, last: over.first - 1 };
    const after = { ...range, first: over.last + 1 };
    return [before, after].filter(({ first, last }) => first <= last);
  });
  return [...left, over];
}
