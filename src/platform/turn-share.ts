/** Lets other work in between the pieces of a long one, once they have held the event loop for some milliseconds together. */
import type { Clock } from "./clock.ts";
import { nextTurn } from "./next-turn.ts";

export class TurnShare {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #heldMsMax: number;
  /** When the first piece of this turn began; null in a turn that had none yet. */
  #startedAt: number | null = null;

  constructor(clock: Pick<Clock, "monotonic">, heldMsMax: number) {
    this.#clock = clock;
    this.#heldMsMax = heldMsMax;
  }

  /** Begins `piece` at once, or in a later turn where the pieces of this one have taken their time. */
  async run<Result>(piece: () => Result | Promise<Result>): Promise<Result> {
    while (this.#heldMs() > this.#heldMsMax) await nextTurn();
    return piece();
  }

  #heldMs(): number {
    const now = this.#clock.monotonic();
    if (this.#startedAt !== null) return now - this.#startedAt;
    this.#startedAt = now;
    void nextTurn().then(() => {
      this.#startedAt = null;
    });
    return 0;
  }
}
