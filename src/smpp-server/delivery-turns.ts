/** Lets credentials with much to deliver take turns, one in each turn of the event loop. */
import { nextTurn } from "../platform/next-turn.ts";

export class DeliveryTurns {
  /** The longest waiting first. */
  readonly #waiting = new Set<() => void>();
  #isRunning = false;

  /** `deliver` is called once when its turn comes, however often it was added meanwhile. */
  add(deliver: () => void): void {
    this.#waiting.add(deliver);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      await nextTurn();
      const [deliver] = this.#waiting;
      if (deliver === undefined) break;
      this.#waiting.delete(deliver);
      deliver();
    }
    this.#isRunning = false;
  }
}
