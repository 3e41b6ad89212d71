/**
 * Tells which runs of messages a search that walks may leave out: by the times of the run, and by the figures of those times. A
 * million messages that are queued hold none that failed, and the figures of their quarters of an hour say so at once.
 */
import { publicStatusOf } from "../domain/status.ts";
import type { MessageFilter } from "../store/message-search.ts";
import type { Reader } from "../store/reader.ts";
import { slotOf } from "../store/rollup-counts.ts";
import type { RollupFilter } from "../store/rollup-reader.ts";
import type { SearchRun } from "../store/search-lookup.ts";

/** A run of a time longer than this is walked: the clock jumped, or messages are so few that all of them are soon walked. */
const spanMsMax = 31 * 24 * 3_600_000;

export class RunFilter {
  readonly #rollups: Reader["rollups"];
  readonly #filter: MessageFilter;
  /** What of the filter the figures know; null for nothing. */
  readonly #counted: RollupFilter | null;
  /** Under load many runs are of the same slot: they are left out as of when the first of them was. */
  #last: { from: number; to: number; mayHold: boolean } | null = null;

  constructor(rollups: Reader["rollups"], filter: MessageFilter) {
    this.#rollups = rollups;
    this.#filter = filter;
    this.#counted = countedOf(filter);
  }

  /** False: none of the run's messages matches. */
  mayHold({ firstAt, lastAt }: Pick<SearchRun, "firstAt" | "lastAt">): boolean {
    if (firstAt === null || lastAt === null) return true;
    const { from = firstAt, to = lastAt + 1 } = this.#filter;
    const first = Math.max(firstAt, from);
    const last = Math.min(lastAt, to - 1);
    if (first > last) return false;
    return this.#counted === null || last - first > spanMsMax || this.#isCounted(slotOf(first), slotOf(last));
  }

  #isCounted(from: number, to: number): boolean {
    if (this.#last?.from === from && this.#last.to === to) return this.#last.mayHold;
    const mayHold = !this.#rollups.isComplete(from) || this.#rollups.holds(from, to, this.#counted ?? {});
    this.#last = { from, to, mayHold };
    return mayHold;
  }
}

function countedOf({ accountId, routeId, errorCode, states }: MessageFilter): RollupFilter | null {
  if ([accountId, routeId, errorCode, states].every((one) => one === undefined)) return null;
  // A status stands for more states than are asked for: more runs are walked then, never fewer.
  return { accountId, routeId, errorCode, statuses: states && [...new Set(states.map(publicStatusOf))] };
}
