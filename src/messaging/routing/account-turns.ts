/** Limits how much runs at once. Accounts take turns, and none has more than half of it. */

/** Tasks of an account that may wait: those of a large group wait slice by slice. */
const waitingMax = 2_000;

export class AccountTurns {
  readonly #waiting = new Map<number, (() => Promise<void>)[]>();
  readonly #running = new Map<number, number>();

  constructor(private readonly atOnceMax: number) {}

  /** Resolves when `task` has, which must not reject; at once, without it, if too many of the account wait. */
  run(accountId: number, task: () => Promise<void>): Promise<void> {
    const tasks = this.#waiting.get(accountId) ?? [];
    if (tasks.length >= waitingMax) return Promise.resolve();
    return new Promise((resolve) => {
      tasks.push(() => task().finally(resolve));
      this.#waiting.set(accountId, tasks);
      this.#next();
    });
  }

  #next(): void {
    for (const [accountId, tasks] of this.#waiting) {
      const running = this.#running.get(accountId) ?? 0;
      const all = [...this.#running.values()].reduce((sum, some) => sum + some, 0);
      if (all >= this.atOnceMax) return;
      const [task] = running < Math.ceil(this.atOnceMax / 2) ? tasks.splice(0, 1) : [];
      if (task === undefined) continue;
      // A map keeps the order in which its keys were added: the account goes to the end.
      this.#waiting.delete(accountId);
      if (tasks.length > 0) this.#waiting.set(accountId, tasks);
      this.#running.set(accountId, running + 1);
      void task().finally(() => {
        const left = (this.#running.get(accountId) ?? 0) - 1;
        if (left > 0) this.#running.set(accountId, left);
        else this.#running.delete(accountId);
        this.#next();
      });
    }
  }
}
