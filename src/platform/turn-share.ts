/**
 * Lets other work run between the pieces of a long task, once they have occupied the event loop for some milliseconds
 * in total.
 */
import type { Clock } from "./clock.ts";
import { nextTurn } from "./next-turn.ts";

export class TurnShare {
  /** When the first piece of this turn began; null if there was none yet. */
  #startedAt: number | null = null;

  constructor(
    private readonly clock: Pick<Clock, "monotonic">,
    private readonly heldMsMax: number,
  ) {}

  /** Starts `piece` at once, or in a later turn if this one's pieces have used up their time. */
  async run<Result>(piece: () => Result | Promise<Result>): Promise<Result> {
    while (this.#heldMs() > this.heldMsMax) await nextTurn();
    return piece();
  }

  #heldMs(): number {
    const now = this.clock.monotonic();
    if (this.#startedAt !== null) return now - this.#startedAt;
    this.#startedAt = now;
    void nextTurn().then(() => {
      this.#startedAt = null;
    });
    return 0;
  }
}
