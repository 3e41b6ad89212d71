/** The newest image of a page among the entries that the log still holds. */
import type { LogReader } from "./engine.ts";
import { type Entry, type EpochKey, openEntry } from "./entry.ts";
import { imageSum } from "./page-sums.ts";

export interface HeldImages {
  reader: Pick<LogReader, "read" | "sum">;
  keyOf(epoch: number): Promise<EpochKey>;
}

/** Divides the entries of a table, so that no chunk spans two. */
const chunkEntries = 256;

/** Sums of the newest images that entries before this one hold, by page; pages without one are left out. */
export async function newestImageSums(
  log: HeldImages,
  pages: readonly number[],
  before: number,
): Promise<Map<number, number>> {
  const wanted = new Set(pages);
  const found = new Map<number, number>();
  for (let last = before - 1; last > 0 && wanted.size > 0; ) {
    const first = Math.max(1, last - (last % chunkEntries));
    const sums = await sumsOfImages(log, wanted, first, last);
    if (sums === null) break;
    for (const [page, sum] of sums) {
      found.set(page, sum);
      wanted.delete(page);
    }
    last = first - 1;
  }
  return found;
}

/** Null if these entries were dropped. */
async function sumsOfImages(
  { reader, keyOf }: HeldImages,
  wanted: ReadonlySet<number>,
  first: number,
  last: number,
): Promise<Map<number, number> | null> {
  const found = new Map<number, number>();
  let before = await reader.sum(first - 1);
  for (let at = first - 1; at < last; ) {
    const entries = await reader.read(at, last);
    if (entries[0]?.sequence !== at + 1) return null;
    for (const entry of entries) {
      // The oldest entry follows one that was dropped: nothing says what it continues.
      if (before !== null) await imagesOf(entry, await keyOf(entry.epoch), before, wanted, found);
      before = entry.sum;
      at = entry.sequence;
    }
  }
  return found;
}

async function imagesOf(
  entry: Entry,
  key: EpochKey,
  before: Uint8Array,
  wanted: ReadonlySet<number>,
  found: Map<number, number>,
): Promise<void> {
  for (const { pages } of openEntry(entry, key, before))
    for (const [page, bytes] of pages) if (wanted.has(page)) found.set(page, imageSum(bytes));
}
