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

/** A later range overrides an earlier one. Walks from cut to cut, because few ranges overlap at any point. */
function withoutOverlap(ranges: readonly OwnedRange[]): OwnedRange[] {
  const cuts = [...new Set(ranges.flatMap(({ first, last }) => [first, last + 1]))].sort((a, b) => a - b);
  const coming = ranges.map((range, order) => ({ range, order })).sort((a, b) => a.range.first - b.range.first);
  const found: OwnedRange[] = [];
  let read = 0;
  let here: typeof coming = [];
  for (const [index, first] of cuts.entries()) {
    here = here.filter(({ range }) => range.last >= first);
    for (; coming[read]?.range.first === first; read += 1) here.push(...coming.slice(read, read + 1));
    const top = here.reduce<(typeof coming)[number] | null>((a, b) => (a !== null && a.order > b.order ? a : b), null);
    const last = (cuts[index + 1] ?? 0) - 1;
    if (top === null) continue;
    const { networkId } = top.range;
    const before = found.at(-1);
    const goesOn = before?.networkId === networkId && before.last + 1 === first;
    if (goesOn) found.splice(-1, 1, { ...before, last });
    else found.push({ first, last, networkId });
  }
  return found;
}
