/**
 * Finds requests by their Idempotency-Key. The newest are found in memory, the others in an index on disk.
 *
 * Client keys are random, so an index kept in step would touch a page of 4 KiB for every request: measured, that cost
 * 16 µs a request with 100,000 keys stored and 36 µs with 400,000, more than all else together. Merged in sorted
 * thousands, neighbours share their pages, and a request costs 1 to 2 µs at ten million keys.
 */
import type { Database } from "bun:sqlite";

interface IndexEntry {
  fingerprint: number;
  requestId: number;
}

/** Requests that are kept in memory before they are merged: about 5 MB, and 50 ms to read again at start. */
const freshMaxDefault = 65_536;
/** Entries merged in one transaction: at ten million keys about three milliseconds. */
const mergeRows = 1_000;

export type KeyIndex = ReturnType<typeof keyIndex>;

const none: number[] = [];

/** Newest requests by fingerprint; the few that share one with another stand in a list beside it. */
class Fresh {
  readonly #ids = new Map<number, number>();
  readonly #others: IndexEntry[] = [];
  #newestId = 0;

  get size(): number {
    return this.#ids.size;
  }

  get newestId(): number {
    return this.#newestId;
  }

  add(fingerprint: number, requestId: number): void {
    const before = this.#ids.get(fingerprint);
    if (before !== undefined && before !== requestId) this.#others.push({ fingerprint, requestId: before });
    this.#ids.set(fingerprint, requestId);
    this.#newestId = Math.max(this.#newestId, requestId);
  }

  /** Newest first. Some may name requests that were rolled back: the caller reads the row and sees. */
  find(fingerprint: number): number[] {
    const newest = this.#ids.get(fingerprint);
    if (newest === undefined) return none;
    if (this.#others.length === 0) return [newest];
    return [newest, ...this.#others.flatMap((other) => (other.fingerprint === fingerprint ? other.requestId : []))];
  }

  /** In ascending order. Sorted as plain numbers: 65,536 entries as objects held the event loop for 25 to 40 ms, these for 8. */
  fingerprints(): Float64Array {
    return Float64Array.from(this.#ids.keys()).sort();
  }
}

function firstOf<Found>(requestIds: readonly number[], read: (requestId: number) => Found | null): Found | null {
  for (const requestId of requestIds) {
    const found = read(requestId);
    if (found !== null) return found;
  }
  return null;
}

export interface KeyIndexOptions {
  /** Fingerprints of every request after this id, in order: what is not in the index yet. */
  unmerged(afterId: number): Iterable<IndexEntry>;
  /** Runs a change in the next transaction. */
  write<T>(change: () => T): Promise<T>;
  freshMax?: number;
}

export function keyIndex(database: Database, options: KeyIndexOptions) {
  const freshMax = options.freshMax ?? freshMaxDefault;
  const find = database.prepare<{ requestId: number }, [number]>(
    // No ORDER BY: one key almost never has two, and asked for in descending order a miss took 1.9 µs in place of 0.2.
    "SELECT request_id AS requestId FROM request_index WHERE fingerprint = ?",
  );
  const insertion = database.prepare(
    // Read from the table: what was rolled back must not reach the index.
    "INSERT OR IGNORE INTO request_index (fingerprint, request_id) SELECT ?1, id FROM request WHERE id = ?2",
  );
  const mergedTo = database.prepare<{ id: number }, []>("SELECT merged_to AS id FROM request_index_state");
  const setMergedTo = database.prepare("UPDATE request_index_state SET merged_to = max(merged_to, ?)");
  const slice = database.prepare<IndexEntry, [number, number, number]>(
    `SELECT fingerprint, request_id AS requestId FROM request_index
     WHERE (fingerprint, request_id) > (?, ?) ORDER BY fingerprint, request_id LIMIT ?`,
  );
  const removal = database.prepare("DELETE FROM request_index WHERE fingerprint = ? AND request_id = ?");

  let fresh = new Fresh();
  /** What is being merged; still searched until all of it is on disk. */
  let merging: Fresh | null = null;

  for (const { fingerprint, requestId } of options.unmerged(mergedTo.get()?.id ?? 0)) fresh.add(fingerprint, requestId);

  async function merge(from: Fresh): Promise<void> {
    const fingerprints = from.fingerprints();
    for (let start = 0; start < fingerprints.length; start += mergeRows) {
      const rows = fingerprints.subarray(start, start + mergeRows);
      await options.write(() => {
        for (const fingerprint of rows) {
          for (const requestId of from.find(fingerprint)) insertion.run(fingerprint, requestId);
        }
      });
    }
    // A crash before this line merges the same entries once more, which changes nothing.
    await options.write(() => setMergedTo.run(from.newestId));
  }

  function beginMerge(): void {
    merging = fresh;
    fresh = new Fresh();
    const done = () => {
      merging = null;
    };
    // The disk refused: what was frozen goes back among the fresh and is merged another time.
    const back = () => {
      for (const fingerprint of merging?.fingerprints() ?? []) {
        for (const requestId of merging?.find(fingerprint) ?? none) fresh.add(fingerprint, requestId);
      }
      merging = null;
    };
    void merge(merging).then(done, back);
  }

  return {
    /** Requests up to this id are in the index on disk. */
    mergedTo: (): number => mergedTo.get()?.id ?? 0,

    /** The first thing that `read` makes of a request which may have this key; null when of none. */
    find<Found>(fingerprint: number, read: (requestId: number) => Found | null): Found | null {
      return (
        firstOf(fresh.find(fingerprint), read) ??
        (merging === null ? null : firstOf(merging.find(fingerprint), read)) ??
        firstOf(
          find.all(fingerprint).map(({ requestId }) => requestId),
          read,
        )
      );
    },

    add(fingerprint: number, requestId: number): void {
      fresh.add(fingerprint, requestId);
      if (fresh.size >= freshMax && merging === null) beginMerge();
    },

    /**
     * Drops entries of requests older than `oldestId` among the next `limit` after `from`. Returns where to go on, or
     * null at the end. It walks in the index's own order, so that each page is touched once.
     */
    prune(from: IndexEntry, oldestId: number, limit: number): IndexEntry | null {
      const rows = slice.all(from.fingerprint, from.requestId, limit);
      for (const row of rows) if (row.requestId < oldestId) removal.run(row.fingerprint, row.requestId);
      return rows.length < limit ? null : (rows.at(-1) ?? null);
    },
  };
}
