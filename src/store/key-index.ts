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

/** Requests that are kept in memory before they are merged: 2 MB, and 50 ms to read again at start. */
const freshMaxDefault = 65_536;
/** Entries merged in one transaction: at ten million keys about three milliseconds. */
const mergeRows = 1_000;
/** Entries merged by one statement. */
const statementRows = 50;

export type KeyIndex = ReturnType<typeof keyIndex>;

const none: number[] = [];

/**
 * Newest requests by fingerprint. Open addressing in flat arrays: a Map of 65,536 numbers was walked by every collection of
 * garbage, and with its merge cost a request 2 µs more.
 */
class Fresh {
  #fingerprints: Float64Array;
  /** 0 marks a free slot. */
  #requestIds: Float64Array;
  #size = 0;
  #newestId = 0;

  constructor(slots: number) {
    this.#fingerprints = new Float64Array(slots);
    this.#requestIds = new Float64Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  get newestId(): number {
    return this.#newestId;
  }

  /** An entry that is there already changes nothing: a write that runs again adds its request again. */
  add(fingerprint: number, requestId: number): void {
    if (2 * this.#size >= this.#requestIds.length) this.#grow();
    let slot = this.#home(fingerprint);
    for (; this.#requestIds[slot] !== 0; slot = this.#after(slot)) {
      if (this.#requestIds[slot] === requestId && this.#fingerprints[slot] === fingerprint) return;
    }
    this.#fingerprints[slot] = fingerprint;
    this.#requestIds[slot] = requestId;
    this.#size += 1;
    this.#newestId = Math.max(this.#newestId, requestId);
  }

  /** Almost always none or one. Some may name requests that were rolled back: the caller reads the row and sees. */
  find(fingerprint: number): readonly number[] {
    let found = none;
    for (let slot = this.#home(fingerprint); ; slot = this.#after(slot)) {
      const requestId = this.#requestIds[slot] ?? 0;
      if (requestId === 0) return found;
      if (this.#fingerprints[slot] === fingerprint) found = [...found, requestId];
    }
  }

  /** In ascending order. Sorted as plain numbers: 65,536 entries as objects held the event loop for 25 to 40 ms, these for 8. */
  fingerprints(): Float64Array {
    return this.#fingerprints.filter((_, slot) => this.#requestIds[slot] !== 0).sort();
  }

  /** The fingerprint is a hash, so its remainders are spread evenly. */
  #home(fingerprint: number): number {
    return fingerprint % this.#requestIds.length;
  }

  #after(slot: number): number {
    return slot + 1 === this.#requestIds.length ? 0 : slot + 1;
  }

  /** Only where merging lags behind: while the disk refuses, or when it began late. */
  #grow(): void {
    const larger = new Fresh(2 * this.#requestIds.length);
    for (const [slot, requestId] of this.#requestIds.entries()) {
      if (requestId !== 0) larger.add(this.#fingerprints[slot] ?? 0, requestId);
    }
    this.#fingerprints = larger.#fingerprints;
    this.#requestIds = larger.#requestIds;
  }
}

/** `(?, ?), (?, ?)` */
const pairs = (count: number) => Array.from({ length: count }, () => "(?, ?)").join(", ");

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
  isStored(requestId: number): boolean;
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
  const insertionOf = (rows: number) =>
    database.prepare(`INSERT OR IGNORE INTO request_index (fingerprint, request_id) VALUES ${pairs(rows)}`);
  const insertOne = insertionOf(1);
  const insertSome = insertionOf(statementRows);
  const mergedTo = database.prepare<{ id: number }, []>("SELECT merged_to AS id FROM request_index_state");
  const setMergedTo = database.prepare("UPDATE request_index_state SET merged_to = max(merged_to, ?)");
  const slice = database.prepare<IndexEntry, [number, number, number]>(
    `SELECT fingerprint, request_id AS requestId FROM request_index
     WHERE (fingerprint, request_id) > (?, ?) ORDER BY fingerprint, request_id LIMIT ?`,
  );
  const removal = database.prepare("DELETE FROM request_index WHERE fingerprint = ? AND request_id = ?");

  const slots = 2 * freshMax + 2;
  let fresh = new Fresh(slots);
  /** As many as this, and they are merged. */
  let mergeFrom = freshMax;
  /** What is being merged; still searched until all of it is on disk. */
  let merging: Fresh | null = null;

  for (const { fingerprint, requestId } of options.unmerged(mergedTo.get()?.id ?? 0)) fresh.add(fingerprint, requestId);

  /** A row that was rolled back comes with the others: whoever finds it reads the request, and sees. */
  function insert(from: Fresh, fingerprints: Float64Array): void {
    const values: number[] = [];
    for (const fingerprint of fingerprints) {
      for (const requestId of from.find(fingerprint)) values.push(fingerprint, requestId);
    }
    let start = 0;
    for (; start + 2 * statementRows <= values.length; start += 2 * statementRows) {
      insertSome.run(...values.slice(start, start + 2 * statementRows));
    }
    for (; start < values.length; start += 2) insertOne.run(...values.slice(start, start + 2));
  }

  async function merge(from: Fresh): Promise<void> {
    const fingerprints = from.fingerprints();
    for (let start = 0; start < fingerprints.length; start += mergeRows) {
      const rows = fingerprints.subarray(start, start + mergeRows);
      await options.write(() => insert(from, rows));
    }
    // A crash before this line merges the same entries once more, which changes nothing.
    await options.write(() => setMergedTo.run(from.newestId));
  }

  function beginMerge(): void {
    merging = fresh;
    fresh = new Fresh(slots);
    const done = () => {
      merging = null;
      mergeFrom = freshMax;
    };
    // The disk refused: what was frozen goes back among the fresh, less what was never stored, or a full disk would fill memory
    // with the requests that it refuses. It is merged once as many have come again: tried for each, 30,000 refusals a second
    // fell to 2,900.
    const back = () => {
      for (const fingerprint of merging?.fingerprints() ?? []) {
        for (const requestId of merging?.find(fingerprint) ?? none) {
          if (options.isStored(requestId)) fresh.add(fingerprint, requestId);
        }
      }
      merging = null;
      mergeFrom = fresh.size + freshMax;
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
      if (fresh.size >= mergeFrom && merging === null) beginMerge();
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
