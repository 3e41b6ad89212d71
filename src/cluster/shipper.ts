/**
 * Ships the pages that commits changed, one entry at a time: each holds everything that arrived while the last was in
 * flight.
 */
import type { Clock } from "../platform/clock.ts";
import { sleep } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import type { Replication } from "../store/replication.ts";
import type { LogWriter } from "./engine.ts";
import { type Entry, type EntryContent, type EntryName, type EpochKey, sealEntry } from "./entry.ts";
import { impatience } from "./impatience.ts";

export interface ShipperDeps {
  writer: LogWriter;
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  /** The current writer and the newest entry. */
  begin: EntryName & { sum: Uint8Array };
  key: EpochKey;
  /**
   * Another node leads, or the engine lost more than can be resent: the process must end at once, without writing
   * again.
   */
  lost(why: string): void;
  /** The first commit has arrived and is about to be shipped. */
  began(): void;
  /** Everything shipped so far is in the database file, and the file is synced. */
  checkpointed(at: { sequence: number; sum: Uint8Array }): void;
  /** No commit follows, and all are shipped. False if that could not be stored. */
  closed(): boolean;
}

/** An append is stalled after this time: from then on new writes are refused. */
export const stalledMs = 2_000;
/** After this time the connection may be dead: another connection is asked about the append. */
const reconnectMsMin = 5_000;
const reconnectMsMax = 60_000;
const retryMs = 200;
/** Newest entries kept in memory, in case the engine loses entries that it acknowledged. */
const rememberedBytesMin = 32 * 1024 * 1024;
/** Pages that may wait; more than these wait only if writes continue while the engine is slow. */
const waitingPagesMax = 65_536;

export class Shipper implements Replication {
  readonly #epoch: number;
  /** Sequence number of the newest replicated entry. */
  #sequence: number;
  #sum: Uint8Array;
  #next: EntryContent | null = null;
  #waiting: (() => void)[] = [];
  #isShipping = false;
  /** When the append in flight began, monotonic; null if there is none. */
  #since: number | null = null;
  #commits = 0;
  #keptCommits = 0;
  #drained: () => void = () => {};
  /** Oldest first. */
  readonly #remembered: { entry: Entry; before: Uint8Array }[] = [];
  #rememberedBytes = 0;
  /** The newest entry when all of SQLite's log was last in the database file. */
  #wholeAt = -1;
  #isLost = false;
  #hasBegun = false;
  readonly figures = { entries: 0, pages: 0, bytes: 0, appendMs: 0 };

  constructor(private readonly deps: ShipperDeps) {
    this.#epoch = deps.begin.epoch;
    this.#sequence = deps.begin.sequence;
    this.#sum = deps.begin.sum;
  }

  /** The newest replicated entry. */
  get acknowledged(): number {
    return this.#sequence;
  }

  /** Chained sum of the log up to it. */
  get sum(): Uint8Array {
    return this.#sum;
  }

  /** Commits so far, and how many of them are replicated: an answer waits until the second count reaches the first. */
  get commits(): number {
    return this.#commits;
  }

  get keptCommits(): number {
    return this.#keptCommits;
  }

  /** How long the append in flight has taken; 0 if there is none. */
  stalledForMs(): number {
    return this.#since === null ? 0 : this.deps.clock.monotonic() - this.#since;
  }

  get isDrained(): boolean {
    return !this.#isShipping;
  }

  /** The database file alone is what the entries so far say. */
  get isWhole(): boolean {
    return this.isDrained && this.#wholeAt === this.#sequence;
  }

  refusal(): string | null {
    if (this.stalledForMs() >= stalledMs) return "the log of the cluster does not answer";
    return (this.#next?.pages.size ?? 0) >= waitingPagesMax ? "the log of the cluster is too slow" : null;
  }

  onDrained(listener: () => void): void {
    this.#drained = listener;
  }

  committed(pages: EntryContent | null, kept: () => void): void {
    if (!this.#hasBegun) this.deps.began();
    this.#hasBegun = true;
    if (pages !== null) this.#merge(pages);
    this.#commits += 1;
    this.#waiting.push(kept);
    if (!this.#isShipping) void this.#ship();
  }

  checkpointed(): void {
    this.#wholeAt = this.#sequence;
    this.deps.checkpointed({ sequence: this.#sequence, sum: this.#sum });
  }

  closed(): boolean {
    return this.deps.closed();
  }

  #merge(changed: EntryContent): void {
    if (this.#next === null) {
      this.#next = changed;
      return;
    }
    const { pages, sums } = this.#next;
    for (const [page, bytes] of changed.pages) pages.set(page, bytes);
    this.#next = { ...changed, pages, sums: sums ?? null };
  }

  async #ship(): Promise<void> {
    this.#isShipping = true;
    try {
      // Commits of one turn of the event loop go together.
      await Promise.resolve();
      while (this.#waiting.length > 0 && !this.#isLost) {
        const waiting = this.#waiting;
        const next = this.#next;
        this.#waiting = [];
        this.#next = null;
        if (next !== null) await this.#shipPages(next);
        if (this.#isLost) return;
        this.#keptCommits += waiting.length;
        for (const kept of waiting) kept();
      }
    } catch (reason) {
      this.#lose(`an entry could not be made: ${errorMessage(reason)}`);
    }
    if (this.#isLost) return;
    this.#isShipping = false;
    this.#drained();
  }

  async #shipPages(changed: EntryContent): Promise<void> {
    const { key, clock } = this.deps;
    const before = this.#sum;
    const entry = sealEntry({ epoch: this.#epoch, sequence: this.#sequence + 1 }, changed, key, before);
    const startedAt = clock.monotonic();
    this.#since = startedAt;
    await this.#untilKept(entry, before);
    if (this.#isLost) return;
    this.#since = null;
    this.#sequence = entry.sequence;
    this.#sum = entry.sum;
    this.#remember(entry, before);
    const { figures } = this;
    figures.entries += 1;
    figures.pages += changed.pages.size;
    figures.bytes += bytesOf(entry);
    figures.appendMs += clock.monotonic() - startedAt;
  }

  async #untilKept(entry: Entry, before: Uint8Array): Promise<void> {
    const { log } = this.deps;
    if ((await this.#tryAppend(entry, before)) === "kept") return;
    // From here on the outcome of an append may be unknown: being readable does not prove that it is replicated.
    for (let tries = 1; !this.#isLost; tries += 1) {
      try {
        if (await this.#settleUnknown(entry, before)) return;
      } catch (reason) {
        if (tries === 1 || tries % 25 === 0)
          log.error({ reason: errorMessage(reason) }, "the cluster's log does not answer");
      }
      await sleep(this.deps.clock, retryMs);
    }
  }

  async #tryAppend(entry: Entry, before: Uint8Array): Promise<"kept" | "unknown"> {
    const { writer, log } = this.deps;
    try {
      const isKept = await this.#impatiently(async () => {
        for (let piece = 0; piece + 1 < entry.pieces.length; piece += 1) await writer.addPiece(entry, piece);
        return writer.append(entry, before);
      });
      return isKept ? "kept" : "unknown";
    } catch (reason) {
      log.warn({ reason: errorMessage(reason) }, "an append to the cluster's log has no known end; it is asked about");
      return "unknown";
    }
  }

  /** After a long silence the connection is ended, and the new one is asked about the entry. */
  async #impatiently<T>(work: () => Promise<T>): Promise<T> {
    const { writer, clock } = this.deps;
    const patienceMs = Math.min(Math.max(reconnectMsMin, this.stalledForMs()), reconnectMsMax);
    const unanswered = impatience(clock, patienceMs, () => writer.reconnect());
    try {
      return await work();
    } finally {
      unanswered.cancel();
    }
  }

  /** True once the entry is certain to be replicated. */
  async #settleUnknown(entry: Entry, before: Uint8Array): Promise<boolean> {
    const { writer } = this.deps;
    const epoch = await this.#impatiently(() => writer.epoch());
    if (epoch !== this.#epoch) return this.#lose(`another node leads, in epoch ${epoch}`);
    const head = await this.#impatiently(() => writer.head());
    if (head.sequence === entry.sequence && Buffer.compare(head.sum, entry.sum) === 0)
      return this.#impatiently(() => writer.confirm(this.#epoch));
    if (head.sequence === entry.sequence - 1 && Buffer.compare(head.sum, before) === 0) {
      if ((await this.#tryAppend(entry, before)) !== "kept") return false;
      return this.#impatiently(() => writer.confirm(this.#epoch));
    }
    return this.#repeatFrom(head.sequence, head.sum);
  }

  /** The engine lost entries that it acknowledged: they are still in memory, or this node cannot continue. */
  async #repeatFrom(sequence: number, sum: Uint8Array): Promise<boolean> {
    const from = this.#remembered.findIndex(({ entry }) => entry.sequence === sequence + 1);
    const first = this.#remembered[from];
    if (first === undefined || Buffer.compare(first.before, sum) !== 0)
      return this.#lose(`the cluster's log ends at entry ${sequence}, and entry ${this.#sequence} was acknowledged`);
    this.deps.log.error(
      { from: sequence + 1, to: this.#sequence },
      "the engine lost acknowledged entries; they are repeated",
    );
    for (const { entry, before } of this.#remembered.slice(from)) {
      if ((await this.#tryAppend(entry, before)) !== "kept") return false;
    }
    return false;
  }

  #remember(entry: Entry, before: Uint8Array): void {
    this.#remembered.push({ entry, before });
    this.#rememberedBytes += bytesOf(entry);
    let dropped = 0;
    for (const { entry: oldest } of this.#remembered) {
      if (this.#rememberedBytes - bytesOf(oldest) < rememberedBytesMin) break;
      this.#rememberedBytes -= bytesOf(oldest);
      dropped += 1;
    }
    if (dropped > 0) this.#remembered.splice(0, dropped);
  }

  #lose(why: string): false {
    if (!this.#isLost) {
      this.#isLost = true;
      this.deps.lost(why);
    }
    return false;
  }
}

const bytesOf = ({ pieces }: Entry): number => pieces.reduce((sum, { length }) => sum + length, 0);
