/**
 * Lets pieces of work that take milliseconds wait for each other: one runs in each turn of the event loop, or for
 * several turns if it returns a promise.
 */
import { nextTurn } from "./next-turn.ts";

/** Instead of an owner's id. */
const nobody = 0;

type Task = () => void | Promise<void>;

export class LoopTurns {
  readonly #weightMax: number;
  /** Tasks with their weights, by owner, who take turns; of one owner, the longest waiting first. */
  readonly #waiting = new Map<number, Map<Task, number>>();
  #isRunning = false;

  /** For tasks of different lengths: how much they weigh together until the next turn begins. */
  constructor(weightMax = 1) {
    this.#weightMax = weightMax;
  }

  /**
   * `task` is called once when its turn comes, however often it was added meanwhile. What it throws is a defect, and
   * the turns go on. `owner`: an account's id.
   */
  add(task: Task, owner = nobody, weight = 1): void {
    const tasks = this.#waiting.get(owner);
    if (tasks === undefined) this.#waiting.set(owner, new Map([[task, weight]]));
    else tasks.set(task, weight);
    if (!this.#isRunning) void this.#run();
  }

  /** Resolves when the caller's turn comes. */
  next(owner = nobody, weight = 1): Promise<void> {
    return new Promise((resolve) => this.add(resolve, owner, weight));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await nextTurn();
      for (let weight = 0; weight < this.#weightMax && this.#waiting.size > 0; ) weight += await this.#runNext();
    }
    this.#isRunning = false;
  }

  /** Returns the task's weight. */
  async #runNext(): Promise<number> {
    for (const [owner, tasks] of this.#waiting) {
      // A map keeps the order in which its keys were added.
      this.#waiting.delete(owner);
      for (const [task, weight] of tasks) {
        tasks.delete(task);
        if (tasks.size > 0) this.#waiting.set(owner, tasks);
        await run(task);
        return weight;
      }
    }
    return 1;
  }
}

/** What a task throws would end the turns of everybody: it is a defect of one caller, told on standard error. */
async function run(task: Task): Promise<void> {
  try {
    await task();
  } catch (reason) {
    process.emitWarning(reason instanceof Error ? reason : String(reason));
  }
}
