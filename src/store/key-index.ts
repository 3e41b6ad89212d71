/**
 * Finds requests by their Idempotency-Key: the newest in memory, the others in lots on disk.
 *
 * Client keys are random, so an index updated per request would touch a 4 KiB page for each one: measured, that cost 16
 * µs a request with 100,000 keys stored and 36 µs with 400,000, more than everything else together.
 */
import type { Database } from "bun:sqlite";
import { columnsOf } from "./columns.ts";
import { FreshKeys, SortedFreshKeys } from "./fresh-keys.ts";
import { firstNotBefore } from "./key-blocks.ts";
import { KeyFilter } from "./key-filter.ts";
import { KeyLots } from "./key-lots.ts";
import { requestIndex } from "./schema.ts";

/** The fingerprint of a key, and the request it came with. */
export type IndexEntry = typeof requestIndex.$inferSelect;

/** Requests kept in memory before they become a lot: 4 MB, and 100 ms to read again at startup. */
const freshMaxDefault = 131_072;

const oldParts = 1_024;

export interface KeyIndexOptions {
  /** Fingerprints of all requests after this id, in order: those not yet in the index. */
  unmerged(afterId: number): Iterable<IndexEntry>;
  isStored(requestId: number): boolean;
  /** Runs a change in the next transaction. */
  write<T>(change: () => T): Promise<T>;
  freshMax?: number;
}

/** `request_index`: the keys of services that ran before there were lots. */
const prepare = (database: Database) => ({
  find: database.prepare<{ requestId: number }, [number]>(
    "SELECT request_id AS requestId FROM request_index WHERE fingerprint = ?",
  ),
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
  readonly #lots: KeyLots;
  /** True while `request_index` holds anything. */
  #isOldUsed: boolean;
  /** How many it held at the start, about. */
  readonly #oldKeys: number;
  #fresh: FreshKeys;
  /** A merge starts at this many fresh keys. */
  #mergeFrom: number;
  /** Keys being merged; still searched until all of them are on disk. */
  #merging: { keys: FreshKeys; fingerprints: Float64Array } | null = null;

  constructor(database: Database, options: KeyIndexOptions) {
    this.#sql = prepare(database);
    this.#options = options;
    this.#freshMax = options.freshMax ?? freshMaxDefault;
    this.#mergeFrom = this.#freshMax;
    this.#fresh = this.#empty();
    this.#lots = new KeyLots(database, options.write);
    this.#isOldUsed = this.#hasOld();
    this.#oldKeys = this.#isOldUsed ? this.#oldCount() : 0;
    this.#filter = new KeyFilter(
      (from, before) => this.#fingerprints(from, before),
      () => this.#lots.keyCount + this.#oldKeys + (this.#merging?.keys.size ?? 0),
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
      (this.#merging === null ? null : firstOf(this.#merging.keys.find(fingerprint), read));
    if (inMemory !== null || !this.mayBeOnDisk(fingerprint)) return inMemory;
    const found = firstOf(this.#lots.find(fingerprint), read);
    if (found !== null || !this.#isOldUsed) return found;
    const old = this.#sql.find.all(fingerprint).map(({ requestId }) => requestId);
    return firstOf(old, read);
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
   * Of the next `limit` entries of `request_index` after `from`, drops those of requests older than `oldestId`. Returns
   * where to continue, or null at the end. It follows the index order, so that each page is touched once.
   */
  prune(from: IndexEntry, oldestId: number, limit: number): IndexEntry | null {
    if (!this.#isOldUsed) return null;
    const rows = this.#sql.slice.all(from.fingerprint, from.requestId, limit);
    const gone = rows.filter(({ requestId }) => requestId < oldestId);
    for (const { fingerprint, requestId } of gone) this.#sql.remove.run(fingerprint, requestId);
    const last = gone.at(-1);
    if (last !== undefined) this.#filter.forget(from.fingerprint, last.fingerprint);
    if (rows.length === limit) return rows.at(-1) ?? null;
    this.#isOldUsed = this.#hasOld();
    return null;
  }

  /** Drops lots whose requests are all older than `oldestId`, then removes up to `limit` blocks; false if none is left. */
  dropLots(oldestId: number, limit: number): boolean {
    if (this.#lots.dropBefore(oldestId)) this.#filter.forget(0, Number.MAX_SAFE_INTEGER);
    return this.#lots.removeSlice(limit);
  }

  /** By a small part, as fingerprints are evenly spread. */
  #oldCount(): number {
    return 1 + oldParts * this.#sql.between.values(0, 2 ** 53 / oldParts).length;
  }

  #hasOld(): boolean {
    return this.#sql.slice.get(-1, -1, 1) !== null;
  }

  #fingerprints(from: number, before: number): number[] {
    const found = this.#lots.fingerprints(from, before);
    if (this.#merging !== null) {
      const { fingerprints } = this.#merging;
      for (let at = firstNotBefore(fingerprints, from); (fingerprints[at] ?? before) < before; at += 1)
        found.push(fingerprints[at] ?? 0);
    }
    if (!this.#isOldUsed) return found;
    // As objects they took twice as long.
    for (const [fingerprint] of this.#sql.between.values(from, before)) found.push(Number(fingerprint));
    return found;
  }

  #empty(): FreshKeys {
    return new FreshKeys(this.#freshMax);
  }

  #beginMerge(): void {
    const keys = this.#fresh;
    const fingerprints = keys.fingerprints();
    this.#merging = { keys, fingerprints };
    this.#fresh = this.#empty();
    for (const fingerprint of fingerprints) this.#filter.add(fingerprint);
    const { oldestId, newestId } = keys;
    const sorted = new SortedFreshKeys(keys, fingerprints);
    const merged = () => this.#sql.setMergedTo.run(newestId);
    this.#lots.append(sorted, { firstId: oldestId, lastId: newestId }, merged).then(
      () => {
        this.#merging = null;
        this.#mergeFrom = this.#freshMax;
      },
      () => this.#takeBack(keys),
    );
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
