/**
 * Keys of requests on disk, in lots of consecutive requests: each lot is sorted, written once from front to back, and
 * dropped as a whole when its requests are gone. In one b-tree of random keys, what a message wrote grew with what was
 * stored: 0.1 pages at three million. Four neighbours of about the same size become one lot, so that a key that is not
 * known is looked for in few of them; each key is written again once for every factor of four.
 */
import type { Database } from "bun:sqlite";
import { firstNotBefore, idsOfLotMax, type KeyCursor, MergedKeys, readBlock, takeBlock } from "./key-blocks.ts";

const lotsMerged = 4;
/** A lot of this many keys is no longer merged: it would be kept for too long after its first request is gone. */
const mergedKeysMax = 2 ** 25;
/** Written in one transaction: less than a millisecond. */
const blocksOfWrite = 12;
const blocksRemoved = 64;
const blocksOfLot = 2 ** 24;
/** More are merged even where their sizes differ. */
const lotsMax = 24;

/** `firstId` and `lastId` are of its requests. */
interface Lot {
  id: number;
  firstId: number;
  lastId: number;
  keyCount: number;
  /** The first fingerprint of each block. */
  starts: Float64Array;
}

type StoredLot = Omit<Lot, "starts"> & { starts: Uint8Array | null };

const prepare = (database: Database) => ({
  lots: database.prepare<StoredLot, []>(
    "SELECT id, first_id AS firstId, last_id AS lastId, key_count AS keyCount, starts FROM key_lot ORDER BY first_id, id",
  ),
  newestId: database.prepare<{ id: number }, []>("SELECT coalesce(max(id), 0) AS id FROM key_lot"),
  begin: database.prepare<null, [number, number, number]>(
    "INSERT OR IGNORE INTO key_lot (id, first_id, last_id, key_count) VALUES (?, ?, ?, 0)",
  ),
  finish: database.prepare<null, [number, number, Uint8Array]>(
    "UPDATE key_lot SET key_count = ?2, starts = ?3 WHERE id = ?1",
  ),
  insertBlock: database.prepare<null, [number, Uint8Array]>(
    "INSERT OR REPLACE INTO key_block (id, keys) VALUES (?, ?)",
  ),
  block: database.prepare<{ keys: Uint8Array }, [number]>("SELECT keys FROM key_block WHERE id = ?"),
  drop: database.prepare<null, [number]>("UPDATE key_lot SET starts = NULL WHERE id = ?"),
  dropBefore: database.prepare<null, [number]>(
    "UPDATE key_lot SET starts = NULL WHERE last_id < ? AND starts IS NOT NULL",
  ),
  dropped: database.prepare<{ id: number }, []>("SELECT id FROM key_lot WHERE starts IS NULL ORDER BY id"),
  removeBlocks: database.prepare<null, [number, number, number]>(
    "DELETE FROM key_block WHERE id IN (SELECT id FROM key_block WHERE id >= ? AND id < ? ORDER BY id LIMIT ?)",
  ),
  remove: database.prepare<null, [number]>("DELETE FROM key_lot WHERE id = ?"),
});

export class KeyLots {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #write: <T>(change: () => T) => Promise<T>;
  /** The whole ones, by their requests. */
  #lots: Lot[];
  #lastId: number;
  /** Lots that are being written. */
  readonly #begun = new Set<number>();
  /** Lots that are being merged into one. */
  #merging: readonly Lot[] = [];

  constructor(database: Database, write: <T>(change: () => T) => Promise<T>) {
    this.#database = database;
    this.#sql = prepare(database);
    this.#write = write;
    this.#lots = this.#sql.lots.all().flatMap(({ starts, ...lot }) => {
      return starts === null ? [] : [{ ...lot, starts: new Float64Array(new Uint8Array(starts).buffer) }];
    });
    this.#lastId = this.#sql.newestId.get()?.id ?? 0;
  }

  /** In whole lots. */
  get keyCount(): number {
    return keysOf(this.#lots);
  }

  /** The requests that may have the key, the newest lot's first. */
  find(fingerprint: number): number[] {
    const found: number[] = [];
    for (let index = this.#lots.length - 1; index >= 0; index -= 1) {
      const lot = this.#lots[index];
      if (lot !== undefined) this.#findIn(lot, fingerprint, found);
    }
    return found;
  }

  /** All fingerprints from `from` up to but not including `before`. */
  fingerprints(from: number, before: number): number[] {
    const found: number[] = [];
    for (const lot of this.#lots) {
      const first = Math.max(firstNotBefore(lot.starts, from) - 1, 0);
      for (let number = first; number < lot.starts.length && (lot.starts[number] ?? 0) < before; number += 1) {
        for (const one of this.#block(lot, number).fingerprints) if (one >= from && one < before) found.push(one);
      }
    }
    return found;
  }

  /**
   * Writes a lot of these keys; `done` runs in the transaction that makes it whole. Then lots of about the same size are
   * merged in the background.
   */
  async append(keys: KeyCursor, span: Pick<Lot, "firstId" | "lastId">, done: () => void): Promise<void> {
    if (span.lastId - span.firstId >= idsOfLotMax) throw new Error("The requests of a lot are too far apart");
    this.#add(await this.#build(keys, span, done), []);
    void this.#mergeLots();
  }

  /** Drops the lots whose requests are all older than this one, unless lots are being merged. True if there were any. */
  dropBefore(requestId: number): boolean {
    if (this.#merging.length > 0) return false;
    const { changes } = this.#sql.dropBefore.run(requestId);
    this.#lots = this.#lots.filter(({ lastId }) => lastId >= requestId);
    return changes > 0;
  }

  /** Removes up to `limit` blocks of lots that were dropped, or cut off by a crash; false if there are none. */
  removeSlice(limit: number): boolean {
    // One that has just been merged is searched until the write that dropped it has settled, after others of its group.
    const isInUse = (id: number) => this.#begun.has(id) || this.#lots.some((lot) => lot.id === id);
    const lot = this.#sql.dropped.all().find(({ id }) => !isInUse(id));
    if (lot === undefined) return false;
    const from = lot.id * blocksOfLot;
    // Otherwise each block is overwritten first, which costs as much as writing it. It holds keyed hashes.
    this.#database.run("PRAGMA secure_delete = FAST");
    try {
      const { changes } = this.#sql.removeBlocks.run(from, from + blocksOfLot, limit);
      if (changes < limit) this.#sql.remove.run(lot.id);
    } finally {
      this.#database.run("PRAGMA secure_delete = ON");
    }
    return true;
  }

  #findIn(lot: Lot, fingerprint: number, found: number[]): void {
    // Equal ones may begin in the block before the first that starts with it.
    for (let number = Math.max(firstNotBefore(lot.starts, fingerprint) - 1, 0); ; number += 1) {
      const start = lot.starts[number];
      if (start === undefined || start > fingerprint) return;
      const { fingerprints, offsets } = this.#block(lot, number);
      for (let at = firstNotBefore(fingerprints, fingerprint); fingerprints[at] === fingerprint; at += 1)
        found.push(lot.firstId + (offsets[at] ?? 0));
    }
  }

  #block({ id }: Lot, number: number) {
    return readBlock(this.#sql.block.get(id * blocksOfLot + number)?.keys ?? new Uint8Array());
  }

  #cursor(lot: Lot): KeyCursor {
    return new LotKeys(lot.firstId, lot.starts.length, (number) => this.#block(lot, number));
  }

  async #build(keys: KeyCursor, { firstId, lastId }: Pick<Lot, "firstId" | "lastId">, done: () => void): Promise<Lot> {
    this.#lastId += 1;
    const id = this.#lastId;
    const starts: number[] = [];
    let keyCount = 0;
    this.#begun.add(id);
    try {
      while (!keys.isAtEnd) {
        const firstBlock = id * blocksOfLot + starts.length;
        const blocks: Uint8Array[] = [];
        while (blocks.length < blocksOfWrite && !keys.isAtEnd) {
          const { start, count, octets } = takeBlock(keys, firstId);
          starts.push(start);
          keyCount += count;
          blocks.push(octets);
        }
        await this.#write(() => {
          this.#sql.begin.run(id, firstId, lastId);
          for (const [index, octets] of blocks.entries()) this.#sql.insertBlock.run(firstBlock + index, octets);
        });
      }
      const lot = { id, firstId, lastId, keyCount, starts: new Float64Array(starts) };
      await this.#write(() => {
        this.#sql.finish.run(id, keyCount, new Uint8Array(lot.starts.buffer));
        done();
      });
      return lot;
    } finally {
      this.#begun.delete(id);
    }
  }

  #add(lot: Lot, replaced: readonly Lot[]): void {
    const kept = this.#lots.filter((one) => !replaced.includes(one));
    this.#lots = [...kept, lot].sort((a, b) => a.firstId - b.firstId);
  }

  async #mergeLots(): Promise<void> {
    if (this.#merging.length > 0) return;
    try {
      for (;;) {
        const [first, ...rest] = mergeable(this.#lots);
        const last = rest.at(-1);
        if (first === undefined || last === undefined) break;
        this.#merging = [first, ...rest];
        const keys = new MergedKeys(this.#merging.map((lot) => this.#cursor(lot)));
        const lot = await this.#build(keys, { firstId: first.firstId, lastId: last.lastId }, () => {
          for (const { id } of this.#merging) this.#sql.drop.run(id);
        });
        this.#add(lot, this.#merging);
      }
      while (await this.#write(() => this.removeSlice(blocksRemoved)));
    } catch {
      // The disk refuses: the next lot tries again, and what was begun is removed like a dropped one.
    } finally {
      this.#merging = [];
    }
  }
}

/** The keys of a lot, read block by block. */
class LotKeys implements KeyCursor {
  readonly #firstId: number;
  readonly #blocks: number;
  readonly #read: (number: number) => ReturnType<typeof readBlock>;
  #number = 0;
  #at = 0;
  #block: ReturnType<typeof readBlock>;

  constructor(firstId: number, blocks: number, read: (number: number) => ReturnType<typeof readBlock>) {
    this.#firstId = firstId;
    this.#blocks = blocks;
    this.#read = read;
    this.#block = read(0);
  }

  get isAtEnd(): boolean {
    return this.#number >= this.#blocks;
  }

  get fingerprint(): number {
    return this.#block.fingerprints[this.#at] ?? 0;
  }

  get requestId(): number {
    return this.#firstId + (this.#block.offsets[this.#at] ?? 0);
  }

  next(): void {
    this.#at += 1;
    if (this.#at < this.#block.fingerprints.length) return;
    this.#at = 0;
    this.#number += 1;
    if (!this.isAtEnd) this.#block = this.#read(this.#number);
  }
}

/** Neighbours of about the same size; where there are many lots, the smallest. Empty if there are not enough. */
function mergeable(lots: readonly Lot[]): readonly Lot[] {
  const neighbours = lots
    .slice(lotsMerged - 1)
    .map((_, index) => lots.slice(index, index + lotsMerged))
    .filter((some) => keysOf(some) <= mergedKeysMax && spanOf(some) < idsOfLotMax);
  const alike = neighbours.find((some) => new Set(some.map(({ keyCount }) => sizeOf(keyCount))).size === 1);
  if (alike !== undefined) return alike;
  if (lots.length <= lotsMax) return [];
  return neighbours.reduce((least, some) => (keysOf(some) < keysOf(least) ? some : least), neighbours[0] ?? []);
}

const keysOf = (lots: readonly Lot[]): number => lots.reduce((sum, { keyCount }) => sum + keyCount, 0);
const spanOf = (lots: readonly Lot[]): number => (lots.at(-1)?.lastId ?? 0) - (lots[0]?.firstId ?? 0);
/** The same for counts that differ less than fourfold, with 131,072 in the middle. */
const sizeOf = (keyCount: number): number => Math.floor(Math.log2(Math.max(keyCount, 1)) / 2);
