/** Where requests wait that come while the service starts. */
import type { Clock, Timer } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";

/** How long one waits. The port is open some milliseconds before the end of a start. */
export const startWaitMsMax = 2_000;
/** More are refused at once. */
export const startQueueMax = 4_096;
/** So many go on in one turn of the event loop: one takes about 0.1 ms. */
const perTurn = 64;

interface Waiting {
  goOn(): void;
  timer: Timer;
}

export class StartQueue {
  readonly #clock: Pick<Clock, "after">;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: Pick<Clock, "after">) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when the queue is released, or after two seconds; null where too many wait. */
  join(): Promise<void> | null {
    if (this.size >= startQueueMax) return null;
    return new Promise((resolve) => {
      const one: Waiting = { goOn: resolve, timer: this.#clock.after(startWaitMsMax, () => this.#goOn(one)) };
      this.#waiting.add(one);
    });
  }

  /** All go on, in turns of the event loop. */
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
