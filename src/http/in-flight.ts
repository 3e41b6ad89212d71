/**
 * Counts requests in flight. During start-up they wait for it to finish; when stopping, new ones are refused and the
 * rest awaited.
 */
import type { Clock, Timer } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";

/** How long a request waits. The port opens a few milliseconds before start-up finishes. */
export const startWaitMsMax = 2_000;
/** Any more are refused at once. */
export const startQueueMax = 4_096;
/** How many resume in one turn of the event loop: one takes about 0.1 ms. */
const perTurn = 64;

interface Waiting {
  goOn(): void;
  timer: Timer;
}

export class StartQueue {
  readonly #waiting = new Set<Waiting>();

  constructor(private readonly clock: Pick<Clock, "after">) {}

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when the queue is released, or after two seconds; null if too many are waiting. */
  join(): Promise<void> | null {
    if (this.size >= startQueueMax) return null;
    return new Promise((resolve) => {
      const one: Waiting = { goOn: resolve, timer: this.clock.after(startWaitMsMax, () => this.#goOn(one)) };
      this.#waiting.add(one);
    });
  }

  /** Resumes all, over several turns of the event loop. */
  async release(): Promise<void> {
    while (this.size > 0) {
      for (const one of [...this.#waiting].slice(0, perTurn)) this.#goOn(one);
      await nextTurn();
    }
  }

  #goOn(one: Waiting): void {
    one.timer.cancel();
    this.#waiting.delete(one);
    one.goOn();
  }
}

export type InFlightRequests = ReturnType<typeof inFlightRequests>;

export function inFlightRequests(clock: Pick<Clock, "after">) {
  let inFlight = 0;
  let state: "starting" | "open" | "closed" = "open";
  let drained: (() => void) | null = null;
  const queue = new StartQueue(clock);

  return {
    /** False once closed, and during start-up: the request must be refused, and `leave` not called. */
    enter(): boolean {
      if (state !== "open") return false;
      inFlight += 1;
      return true;
    },
    leave(): void {
      inFlight -= 1;
      if (inFlight === 0) drained?.();
    },
    /**
     * During start-up: resolves when it finishes or the wait times out. Null otherwise, and if too many are waiting.
     */
    startToWaitFor: (): Promise<void> | null => (state === "starting" ? queue.join() : null),
    /** The service is starting: requests wait until `open`. */
    begin(): void {
      state = "starting";
    },
    open(): void {
      state = "open";
      void queue.release();
    },
    /** Takes no more requests. Resolves once those in flight are answered. */
    close(): Promise<void> {
      state = "closed";
      void queue.release();
      return new Promise((resolve) => {
        drained = resolve;
        if (inFlight === 0) resolve();
      });
    },
    get isStarting(): boolean {
      return state === "starting";
    },
    get inFlight(): number {
      return inFlight;
    },
    /** How many requests wait for start-up to finish. */
    get waiting(): number {
      return queue.size;
    },
  };
}
