/**
 * Lets the binds of an account take turns with requests that are refused or only ask, so that a flood of them never
 * stands between another customer's request and its answer for long.
 */
import type { Clock } from "../platform/clock.ts";
import { nextTurn } from "../platform/next-turn.ts";
import type { FreeRequests } from "./free-requests.ts";

/**
 * How many free requests an account makes in one turn of the event loop: about 0.1 ms of work. After a pause of 50 ms
 * fifty are due; all at once they took a millisecond.
 */
export const freeRequestsPerTurn = 8;

/** One bind. */
export interface FreeRequestTurn {
  /** Counts a request. False: the bind must not be read until its turn comes. */
  count(isRefused?: boolean): boolean;
}

export class FreeRequestTurns {
  /** The first bind is the next that is read: one in each turn of the event loop. */
  readonly #waiting: (() => void)[] = [];
  #willGoOn = false;
  #pausedUntilMs = 0;

  constructor(
    private readonly clock: Pick<Clock, "monotonic" | "after">,
    private readonly free: FreeRequests,
  ) {}

  /** A submit was accepted. */
  accepted(): void {
    this.free.accepted();
  }

  /** `goOn` is called when the bind may be read again. */
  of(goOn: () => void): FreeRequestTurn {
    let left = freeRequestsPerTurn;
    let isWaiting = false;
    const turn = () => {
      left = freeRequestsPerTurn;
      isWaiting = false;
      goOn();
    };
    return {
      count: (isRefused) => {
        const pauseMs = this.free.count(isRefused);
        left -= 1;
        if (pauseMs > 0) this.#pausedUntilMs = this.clock.monotonic() + pauseMs;
        else if (left > 0 && !isWaiting) return true;
        if (!isWaiting) {
          isWaiting = true;
          this.#waiting.push(turn);
        }
        this.#goOnLater();
        return false;
      },
    };
  }

  #goOnLater(): void {
    if (this.#willGoOn || this.#waiting.length === 0) return;
    this.#willGoOn = true;
    const pauseMs = this.#pausedUntilMs - this.clock.monotonic();
    if (pauseMs > 0) this.clock.after(pauseMs, () => this.#goOn());
    else void nextTurn().then(() => this.#goOn());
  }

  #goOn(): void {
    this.#willGoOn = false;
    // The pause may have begun after this was scheduled.
    if (this.#pausedUntilMs <= this.clock.monotonic()) this.#waiting.shift()?.();
    this.#goOnLater();
  }
}
