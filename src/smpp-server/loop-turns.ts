/** Lets tasks that take about a millisecond wait for each other: one runs in each turn of the event loop. */
import { nextTurn } from "../platform/next-turn.ts";

export class LoopTurns {
  /** The longest waiting first. */
  readonly #waiting = new Set<() => void>();
  #isRunning = false;

  /** `task` is called once when its turn comes, however often it was added meanwhile. */
  add(task: () => void): void {
    this.#waiting.add(task);
    if (!this.#isRunning) void this.#run();
  }

  /** Resolves when the caller's turn comes. */
  next(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      await nextTurn();
      const [task] = this.#waiting;
      if (task === undefined) break;
      this.#waiting.delete(task);
      task();
    }
    this.#isRunning = false;
  }
}
