/**
 * A follower's database file: entries of the cluster's log are written into it page by page, while SQLite has it
 * closed.
 */
import { existsSync, ftruncateSync } from "node:fs";
import { join } from "node:path";
import { files } from "../platform/files.ts";
import { nextTurn } from "../platform/next-turn.ts";
import { databaseFileName } from "../store/database.ts";
import { DatabaseLock } from "../store/database-lock.ts";
import { markPathOf } from "../store/log-mark.ts";
import type { ToldSums } from "./comparison.ts";
import type { Head, LogReader } from "./engine.ts";
import { type EpochKey, epochKey, openEntry } from "./entry.ts";
import { ClusterRefused } from "./errors.ts";
import { type Position, writePosition } from "./position.ts";

export interface ReplicaDeps {
  folder: string;
  reader: LogReader;
  secretKey: Uint8Array;
  position: Position;
  /** Called where an entry tells sums; the file then holds what all entries before it say. */
  compare?(descriptor: number, told: ToldSums): void;
}

/** The context that entries are sealed for. */
export const logName = ({ installation, generation }: Pick<Position, "installation" | "generation">): string =>
  `${installation}/${generation}`;

export class Replica implements Disposable {
  readonly #path: string;
  readonly #lock: DatabaseLock;
  #hasBegun = false;
  #position: Position;
  #key: { epoch: number; key: EpochKey } | null = null;

  constructor(private readonly deps: ReplicaDeps) {
    this.#path = join(deps.folder, databaseFileName);
    this.#lock = new DatabaseLock(this.#path);
    this.#position = deps.position;
  }

  get position(): Position {
    return this.#position;
  }

  /**
   * Drops SQLite's log, and keeps SQLite out of the file until `Symbol.dispose`. Only pages that are in the cluster's
   * log were ever moved from it into the file, and the position is no newer than the file: replaying the cluster's log
   * from there restores what the cluster has and discards the rest. A program that still has the file open would write
   * its old log over that when it closes: then nothing is changed, and its name is returned. Call again until it is
   * null.
   * @throws ClusterRefused
   */
  begin(): string | null {
    if (this.#hasBegun) return null;
    const holder = this.#lock.take();
    if (holder === null) this.#begin();
    return holder;
  }

  [Symbol.dispose](): void {
    this.#lock.release();
    this.#hasBegun = false;
  }

  #begin(): void {
    const log = `${this.#path}-wal`;
    if (this.#position.hasLed && !existsSync(log))
      throw new ClusterRefused(
        `${log} is gone, so another program has moved what this node had not shipped into ${this.#path}. ` +
          "The file may differ from the other nodes' now. Fetch it anew: peyk cluster join.",
      );
    // First, so that a crash in between does not look like a log that somebody else checkpointed.
    if (this.#position.hasLed) this.#keep({ ...this.#position, hasLed: false });
    for (const path of [log, `${this.#path}-shm`, markPathOf(this.#path)]) files.remove(path);
    this.#hasBegun = true;
  }

  /** Applies the log up to this entry. @throws ClusterRefused, EntryUnreadable */
  async follow(last: number): Promise<void> {
    while (this.#position.sequence < last) await this.#step(last);
  }

  /** @throws ClusterRefused if the cluster's log does not continue from the file's position */
  async check(head: Head): Promise<void> {
    const { sequence, sum } = this.#position;
    if (head.sequence < sequence)
      throw new ClusterRefused(
        `The cluster's log ends at entry ${head.sequence}, and this node has entry ${sequence}: PostgreSQL fell back behind what it ` +
          "acknowledged. If its newest data cannot be brought back, begin a new log on this node: peyk cluster leave, then peyk cluster init --again.",
      );
    const kept = await this.deps.reader.sum(sequence);
    if (kept !== null && Buffer.compare(kept, sum) !== 0)
      throw new ClusterRefused(
        `Entry ${sequence} of the cluster's log is not the one that this node has. Fetch its data anew: peyk cluster join.`,
      );
  }

  async #step(last: number): Promise<void> {
    if (!this.#hasBegun) throw new Error("The file is written only while it is locked");
    const { reader, compare } = this.deps;
    const entries = await reader.read(this.#position.sequence, last);
    if (entries.length === 0 || entries[0]?.sequence !== this.#position.sequence + 1)
      throw new ClusterRefused(
        `The cluster's log no longer holds what follows entry ${this.#position.sequence}. Fetch newer data: peyk cluster copy and join.`,
      );
    const descriptor = files.open(this.#path, "r+");
    let { sequence, sum } = this.#position;
    try {
      let size = 0;
      for (const entry of entries) {
        if (entry.sequence !== sequence + 1) break;
        for (const { pages, pageBytes, pageCount, sums } of openEntry(entry, await this.keyOf(entry.epoch), sum)) {
          if (sums != null) compare?.(descriptor, { entry: entry.sequence, epoch: entry.epoch, pageBytes, sums });
          for (const [page, bytes] of pages) files.write(descriptor, bytes, (page - 1) * pageBytes);
          size = pageBytes * pageCount;
          await nextTurn();
        }
        ({ sequence, sum } = entry);
      }
      ftruncateSync(descriptor, size);
      files.sync(descriptor);
    } finally {
      files.close(descriptor);
    }
    this.#keep({ ...this.#position, sequence, sum });
  }

  #keep(position: Position): void {
    writePosition(this.deps.folder, position);
    this.#position = position;
  }

  /** What the entries of an epoch are sealed with. */
  async keyOf(epoch: number): Promise<EpochKey> {
    if (this.#key?.epoch !== epoch) {
      const id = await this.deps.reader.keyId(epoch);
      this.#key = { epoch, key: epochKey(this.deps.secretKey, id, logName(this.#position)) };
    }
    return this.#key.key;
  }
}
