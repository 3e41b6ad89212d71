/**
 * A leader sums ranges of its database file between commits and tells the sums through the log, for every other node to
 * compare with its own file at that same entry.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Clock, Timer } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import { pageSumsIn } from "./page-sums.ts";
import type { Shipper } from "./shipper.ts";

export interface SumRoundsDeps {
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  shipper: Pick<Shipper, "isDrained" | "isWhole" | "committed">;
  /** The database file. */
  path: string;
  /** Resolves once every commit is in the log, and all of SQLite's log in the file, as far as readers let it. */
  drain(): Promise<void>;
  /** False while no other node could compare. */
  isNeeded(): boolean;
}

/** 4 MiB: read and summed in 2 to 3 ms. */
const pagesPerRound = 1_024;
const roundEveryMs = 5_000;
/** The whole file is summed no more often than this. */
const passEveryMs = 60_000;
/** Between two looks for a moment without a commit on its way; after `idleWaitMsMax` commits wait for the round. */
const idleLookMs = 100;
const idleWaitMsMax = 30_000;
const headerBytes = 100;

export class SumRounds {
  /** Closed only after the database: closing any descriptor of a file drops the process's locks on it. */
  #descriptor: number | null = null;
  #next = 1;
  #passBegunAt = Number.NEGATIVE_INFINITY;
  #timer: Timer | null = null;
  #isRunning = false;
  #isStopped = false;

  constructor(private readonly deps: SumRoundsDeps) {
    this.#after(0);
  }

  /** From now on nothing is told any more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  /** Call after the database was closed. */
  close(): void {
    this.stop();
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** Begins with the first page now, unless a pass is under way. */
  hurry(): void {
    if (this.#next === 1 && !this.#isRunning && !this.#isStopped) this.#after(0);
  }

  #after(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.deps.clock.after(delayMs, () => void this.#round());
  }

  async #round(): Promise<void> {
    const { clock, log } = this.deps;
    this.#isRunning = true;
    if (this.#next === 1) this.#passBegunAt = clock.monotonic();
    try {
      if (this.deps.isNeeded()) {
        await this.#idle();
        await this.deps.drain();
        if (!this.#isStopped) this.#tell();
      }
    } catch (reason) {
      log.warn({ reason: errorMessage(reason) }, "pages were not summed for the other nodes");
    } finally {
      this.#isRunning = false;
    }
    if (this.#isStopped) return;
    const untilPass = this.#passBegunAt + passEveryMs - clock.monotonic();
    this.#after(this.#next === 1 ? Math.max(roundEveryMs, untilPass) : roundEveryMs);
  }

  /** Resolves while nothing waits to be replicated, when a drain delays no commit. */
  async #idle(): Promise<void> {
    const { clock, shipper } = this.deps;
    const until = clock.monotonic() + idleWaitMsMax;
    while (!shipper.isDrained && !this.#isStopped && clock.monotonic() < until)
      await new Promise<void>((resolve) => clock.after(idleLookMs, resolve));
  }

  /** Nothing is committed before the next turn of the event loop, so the file is what the log says up to here. */
  #tell(): void {
    const { shipper, path } = this.deps;
    // A reader keeps something out of the file.
    if (!shipper.isWhole) return;
    this.#descriptor ??= openSync(path, "r");
    const size = sizeIn(this.#descriptor);
    if (size === null) return;
    const { pageBytes, pageCount } = size;
    const first = this.#next > pageCount ? 1 : this.#next;
    const count = Math.min(pagesPerRound, pageCount - first + 1);
    const sums = pageSumsIn(this.#descriptor, { pageBytes, first, count });
    shipper.committed({ pageBytes, pageCount, pages: new Map(), sums }, () => {});
    this.#next = first + count > pageCount ? 1 : first + count;
  }
}

/** Null if the file is not as long as its header says. */
function sizeIn(descriptor: number): { pageBytes: number; pageCount: number } | null {
  const header = Buffer.alloc(headerBytes);
  readSync(descriptor, header, 0, headerBytes, 0);
  const told = header.readUInt16BE(16);
  const pageBytes = told === 1 ? 65_536 : told;
  const pageCount = header.readUInt32BE(28);
  return fstatSync(descriptor).size === pageBytes * pageCount ? { pageBytes, pageCount } : null;
}
