/** Ends long messages that are still incomplete at their timeout: those of phones, and those of SMPP customers. */
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Store, Tables } from "../store/store.ts";
import type { SteadyTime } from "./steady-time.ts";

/** The table of messages that lack parts. */
interface OpenMessages {
  /** Moves those that were opened later than `now`, before a restart, to it. */
  pullIn(now: number): void;
  firstOpenedAt(): number | null;
}

export interface OverdueMessagesDeps {
  store: Store;
  clock: Clock;
  steady: SteadyTime;
  log: Logger;
  reassemblyTimeoutMs: number;
  messagesIn(tables: Tables): OpenMessages;
  /** Ends one slice of those opened until then. True if there may be more. */
  endSlice(openedThrough: number): Promise<boolean>;
  /** Logged where that fails. */
  failed: string;
}

/** After a disk error. */
const retryMs = 5_000;

/** One timer for all messages: set for the oldest, and again each time it has fired. */
export class OverdueMessages {
  readonly #deps: OverdueMessagesDeps;
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = true;

  constructor(deps: OverdueMessagesDeps) {
    this.#deps = deps;
  }

  /** Resumes with what was waiting when Peyk stopped. */
  async start(): Promise<void> {
    const { store, steady, messagesIn } = this.#deps;
    this.#isStopped = false;
    await store.write((tables) => messagesIn(tables).pullIn(steady()));
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
    const { store, clock, steady, reassemblyTimeoutMs, messagesIn } = this.#deps;
    const firstOpenedAt = messagesIn(store.tables).firstOpenedAt();
    if (firstOpenedAt === null) return;
    this.#timer = clock.after(Math.max(0, firstOpenedAt + reassemblyTimeoutMs - steady()), this.#fire);
  }

  readonly #fire = (): void => {
    const { log, clock, failed } = this.#deps;
    this.#timer = null;
    this.#running = this.#end().then(
      () => this.wake(),
      (reason: unknown) => {
        log.error({ err: reason }, failed);
        if (!this.#isStopped) this.#timer = clock.after(retryMs, this.#fire);
      },
    );
  };

  async #end(): Promise<void> {
    const { steady, reassemblyTimeoutMs, endSlice } = this.#deps;
    for (let isMore = true; isMore && !this.#isStopped; ) isMore = await endSlice(steady() - reassemblyTimeoutMs);
  }
}
