/** Finds the network of a number. Ranges may be nested: the narrower one decides, as with numbering plan prefixes. */
import type { NumberRange } from "./number-range.ts";

export interface OwnedRange extends NumberRange {
  readonly networkId: number;
}

/** Sorted ranges without overlap, so that a number is found in a few steps. */
export class NetworkRanges {
  readonly #ranges: readonly OwnedRange[];
  readonly #byNetwork: ReadonlyMap<number, readonly OwnedRange[]>;

  /** Ranges of a later layer override those of an earlier one; within a layer they are disjoint or nested. */
  constructor(layers: readonly (readonly OwnedRange[])[]) {
    this.#ranges = withoutOverlap(layers.flatMap((layer) => layer.toSorted((a, b) => width(b) - width(a))));
    this.#byNetwork = Map.groupBy(this.#ranges, ({ networkId }) => networkId);
  }

  /** The network at this position (see `numberPosition`); 0 if unknown. */
  networkAt(position: number): number {
    const range = lastBegun(this.#ranges, position);
    return range !== undefined && position <= range.last ? range.networkId : 0;
  }

  of(networkId: number): readonly NumberRange[] {
    return this.#byNetwork.get(networkId) ?? [];
  }

  /** The network's range that begins nearest to this position; null if it has none. */
  nearest(networkId: number, position: number): NumberRange | null {
    const ranges = this.of(networkId);
    const below = lastBegun(ranges, position);
    const above = ranges[below === undefined ? 0 : ranges.indexOf(below) + 1];
    if (below === undefined || above === undefined) return below ?? above ?? null;
    return above.first - position < position - below.first ? above : below;
  }
}

/** Of sorted ranges without overlap, the last one that begins at or before this position. */
export function lastBegun<Range extends Pick<NumberRange, "first">>(
  ranges: readonly Range[],
  position: number,
): Range | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.first ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

const width = ({ first, last }: NumberRange): number => last - first;

interface Layered {
  range: OwnedRange;
  /** The higher one overrides. */
  order: number;
}

/** A later range overrides an earlier one. Nearly all ranges overlap no other: only those that do are cut. */
function withoutOverlap(ranges: readonly OwnedRange[]): OwnedRange[] {
  const coming = ranges.map((range, order) => ({ range, order })).sort((a, b) => a.range.first - b.range.first);
  const found: OwnedRange[] = [];
  const add = (range: OwnedRange) => {
    const before = found.at(-1);
    const goesOn = before?.networkId === range.networkId && before.last + 1 === range.first;
    if (goesOn) found.splice(-1, 1, { ...before, last: range.last });
    else found.push(range);
  };
  let together: Layered[] = [];
  let last = -1;
  const addTogether = () => {
    for (const range of together.length > 1 ? cut(together) : together.map((one) => one.range)) add(range);
  };
  for (const one of coming) {
    if (one.range.first > last) {
      addTogether();
      together = [];
    }
    together.push(one);
    last = Math.max(last, one.range.last);
  }
  addTogether();
  return found;
}

/** What is seen of ranges sorted by their beginning, from cut to cut: few overlap at any point. */
function cut(coming: readonly Layered[]): OwnedRange[] {
  const cuts = [...new Set(coming.flatMap(({ range }) => [range.first, range.last + 1]))].sort((a, b) => a - b);
  let read = 0;
  let here: Layered[] = [];
  return cuts.flatMap((first, index) => {
    here = here.filter(({ range }) => range.last >= first);
    for (; coming[read]?.range.first === first; read += 1) here.push(...coming.slice(read, read + 1));
    const top = here.reduce<Layered | null>((a, b) => (a !== null && a.order > b.order ? a : b), null);
    return top === null ? [] : [{ first, last: (cuts[index + 1] ?? 0) - 1, networkId: top.range.networkId }];
  });
}
