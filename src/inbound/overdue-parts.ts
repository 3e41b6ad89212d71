/** Delivers long messages that are still incomplete at their timeout, with the parts received so far. */
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Store } from "../store/store.ts";
import { assemble, type IntakeResult } from "./part-intake.ts";
import type { SteadyTime } from "./steady-time.ts";

export interface OverduePartsDeps {
  store: Store;
  clock: Clock;
  steady: SteadyTime;
  log: Logger;
  reassemblyTimeoutMs: number;
  /** A message was assembled from the available parts and committed. */
  assembled(result: IntakeResult): void;
}

/** Messages per transaction: a few milliseconds. */
const sliceRows = 50;
/** After a disk error. */
const retryMs = 5_000;

/** One timer for all assemblies: set for the oldest, and again each time it has fired. */
export class OverdueParts {
  readonly #deps: OverduePartsDeps;
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = true;

  constructor(deps: OverduePartsDeps) {
    this.#deps = deps;
  }

  /** Resumes with what was waiting when Peyk stopped. */
  async start(): Promise<void> {
    const { store, steady } = this.#deps;
    this.#isStopped = false;
    await store.write((tables) => tables.inboundParts.pullIn(steady()));
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
    await this.#running;
  }

  /** Parts have started to wait. */
  wake(): void {
    if (this.#isStopped || this.#timer !== null) return;
    const { store, clock, steady, reassemblyTimeoutMs } = this.#deps;
    const firstOpenedAt = store.tables.inboundParts.firstOpenedAt();
    if (firstOpenedAt === null) return;
    this.#timer = clock.after(Math.max(0, firstOpenedAt + reassemblyTimeoutMs - steady()), this.#fire);
  }

  readonly #fire = (): void => {
    const { log, clock } = this.#deps;
    this.#timer = null;
    this.#running = this.#deliver().then(
      () => this.wake(),
      (reason: unknown) => {
        log.error({ err: reason }, "incomplete inbound messages could not be stored; they wait");
        if (!this.#isStopped) this.#timer = clock.after(retryMs, this.#fire);
      },
    );
  };

  async #deliver(): Promise<void> {
    const { store, clock, steady, log, reassemblyTimeoutMs, assembled } = this.#deps;
    for (let full = true; full && !this.#isStopped; ) {
      const slice = await store.write((tables) => {
        const due = tables.inboundParts.openedThrough(steady() - reassemblyTimeoutMs, sliceRows);
        return due.map((assembly) => assemble(tables, assembly, clock.now()));
      });
      for (const result of slice) assembled(result);
      if (slice.length > 0) log.warn({ messages: slice.length }, "long inbound messages are delivered incomplete");
      full = slice.length === sliceRows;
    }
  }
}
