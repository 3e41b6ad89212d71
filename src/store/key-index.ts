/**
 * Finds requests by their Idempotency-Key: the newest in memory, the others in an index on disk.
 *
 * Client keys are random, so an index updated per request would touch a 4 KiB page for each one: measured, that cost 16
 * µs a request with 100,000 keys stored and 36 µs with 400,000, more than everything else together. Merged in sorted
 * thousands, neighbours share pages: a merge takes half a second of CPU time at ten million keys, 4 µs a request.
 */
import type { Database } from "bun:sqlite";
import { columnsOf } from "./columns.ts";
import { FreshKeys } from "./fresh-keys.ts";
import { KeyFilter } from "./key-filter.ts";
import { requestIndex } from "./schema.ts";

/** The fingerprint of a key, and the request it came with. */
export type IndexEntry = typeof requestIndex.$inferSelect;

/**
 * Requests kept in memory before they are merged: 4 MB, and 100 ms to read again at startup. A merge costs the same at
 * half the size.
 */
const freshMaxDefault = 131_072;
/** Entries merged in one transaction: at ten million keys about three milliseconds. */
const mergeRows = 1_000;
/** Entries merged by one statement. */
const statementRows = 50;

export interface KeyIndexOptions {
  /** Fingerprints of all requests after this id, in order: those not yet in the index. */
  unmerged(afterId: number): Iterable<IndexEntry>;
  isStored(requestId: number): boolean;
  /** Runs a change in the next transaction. */
  write<T>(change: () => T): Promise<T>;
  freshMax?: number;
}

/** `(?, ?), (?, ?)` */
const pairs = (count: number) => Array.from({ length: count }, () => "(?, ?)").join(", ");
const insertRows = (count: number) =>
  `INSERT OR IGNORE INTO request_index (fingerprint, request_id) VALUES ${pairs(count)}`;

const prepare = (database: Database) => ({
  find: database.prepare<{ requestId: number }, [number]>(
    "SELECT request_id AS requestId FROM request_index WHERE fingerprint = ?",
  ),
  insertOne: database.prepare(insertRows(1)),
  insertSome: database.prepare(insertRows(statementRows)),
  between: database.prepare<{ fingerprint: number }, [number, number]>(
    "SELECT fingerprint FROM request_index WHERE fingerprint >= ? AND fingerprint < ?",
  ),
  mergedTo: database.prepare<{ id: number }, []>("SELECT merged_to AS id FROM request_index_state"),
  setMergedTo: database.prepare("UPDATE request_index_state SET merged_to = max(merged_to, ?)"),
  slice: database.prepare<IndexEntry, [number, number, number]>(
    `SELECT ${columnsOf(requestIndex)} FROM request_index
     WHERE (fingerprint, request_id) > (?, ?) ORDER BY fingerprint, request_id LIMIT ?`,
  ),
  remove: database.prepare("DELETE FROM request_index WHERE fingerprint = ? AND request_id = ?"),
});

export class KeyIndex {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #options: KeyIndexOptions;
  readonly #freshMax: number;
  readonly #filter: KeyFilter;
  #fresh: FreshKeys;
  /** A merge starts at this many fresh keys. */
  #mergeFrom: number;
  /** Keys being merged; still searched until all of them are on disk. */
  #merging: FreshKeys | null = null;

  constructor(database: Database, options: KeyIndexOptions) {
    this.#sql = prepare(database);
    this.#options = options;
    this.#freshMax = options.freshMax ?? freshMaxDefault;
    this.#mergeFrom = this.#freshMax;
    this.#fresh = this.#empty();
    this.#filter = new KeyFilter(
      (from, before) => this.#fingerprints(from, before),
      this.#sql.slice.get(-1, -1, 1) === null,
    );
    for (const { fingerprint, requestId } of options.unmerged(this.mergedTo())) this.#fresh.add(fingerprint, requestId);
  }

  /** Requests up to this id are in the index on disk. */
  mergedTo(): number {
    return this.#sql.mergedTo.get()?.id ?? 0;
  }

  /** The first result of `read` over the requests that may have this key; null if there is none. */
  find<Found>(fingerprint: number, read: (requestId: number) => Found | null): Found | null {
    const inMemory =
      firstOf(this.#fresh.find(fingerprint), read) ??
      (this.#merging === null ? null : firstOf(this.#merging.find(fingerprint), read));
    if (inMemory !== null || !this.mayBeOnDisk(fingerprint)) return inMemory;
    const onDisk = this.#sql.find.all(fingerprint).map(({ requestId }) => requestId);
    return firstOf(onDisk, read);
  }

  /** False if the disk need not be read. */
  mayBeOnDisk(fingerprint: number): boolean {
    return this.#filter.mayHold(fingerprint);
  }

  /** Loads a slice of the index into the filter; false once all of it is loaded. */
  readSlice(): boolean {
    return this.#filter.readSlice();
  }

  add(fingerprint: number, requestId: number): void {
    this.#fresh.add(fingerprint, requestId);
    if (this.#fresh.size >= this.#mergeFrom && this.#merging === null) this.#beginMerge();
  }

  /**
   * Of the next `limit` entries after `from`, drops those of requests older than `oldestId`. Returns where to continue,
   * or null at the end. It follows the index order, so that each page is touched once.
   */
  prune(from: IndexEntry, oldestId: number, limit: number): IndexEntry | null {
    const rows = this.#sql.slice.all(from.fingerprint, from.requestId, limit);
    const gone = rows.filter(({ requestId }) => requestId < oldestId);
    for (const { fingerprint, requestId } of gone) this.#sql.remove.run(fingerprint, requestId);
    const last = gone.at(-1);
    if (last !== undefined) this.#filter.forget(from.fingerprint, last.fingerprint);
    return rows.length < limit ? null : (rows.at(-1) ?? null);
  }

  #fingerprints(from: number, before: number): number[] {
    // As objects they took twice as long.
    return this.#sql.between.values(from, before).map(([fingerprint]) => Number(fingerprint));
  }

  #empty(): FreshKeys {
    return new FreshKeys(this.#freshMax);
  }

  #beginMerge(): void {
    const merging = this.#fresh;
    this.#merging = merging;
    this.#fresh = this.#empty();
    void this.#merge(merging).then(
      () => {
        this.#merging = null;
        this.#mergeFrom = this.#freshMax;
      },
      () => this.#takeBack(merging),
    );
  }

  async #merge(from: FreshKeys): Promise<void> {
    const fingerprints = from.fingerprints();
    for (let start = 0; start < fingerprints.length; start += mergeRows) {
      const rows = fingerprints.subarray(start, start + mergeRows);
      await this.#options.write(() => this.#insert(from, rows));
    }
    // A crash before this line only merges the same entries again, which changes nothing.
    await this.#options.write(() => this.#sql.setMergedTo.run(from.newestId));
  }

  /** Rolled-back rows are included: whoever finds one reads the request and sees that it does not exist. */
  #insert(from: FreshKeys, fingerprints: Float64Array): void {
    const values: number[] = [];
    for (const [index, fingerprint] of fingerprints.entries()) {
      if (fingerprint === fingerprints[index - 1]) continue;
      this.#filter.add(fingerprint);
      for (const requestId of from.find(fingerprint)) values.push(fingerprint, requestId);
    }
    let start = 0;
    for (; start + 2 * statementRows <= values.length; start += 2 * statementRows) {
      this.#sql.insertSome.run(...values.slice(start, start + 2 * statementRows));
    }
    for (; start < values.length; start += 2) this.#sql.insertOne.run(...values.slice(start, start + 2));
  }

  /**
   * The disk refused. The keys become fresh again, except those never stored, so that a full disk does not fill memory
   * with refused requests. The next merge waits for as many new keys: retrying for each one cut 30,000 refusals a
   * second to 2,900.
   */
  #takeBack(merging: FreshKeys): void {
    for (const fingerprint of merging.fingerprints()) {
      for (const requestId of merging.find(fingerprint)) {
        if (this.#options.isStored(requestId)) this.#fresh.add(fingerprint, requestId);
      }
    }
    this.#merging = null;
    this.#mergeFrom = this.#fresh.size + this.#freshMax;
  }
}

function firstOf<Found>(requestIds: readonly number[], read: (requestId: number) => Found | null): Found | null {
  for (const requestId of requestIds) {
    const found = read(requestId);
    if (found !== null) return found;
  }
  return null;
}
