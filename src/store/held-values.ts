/** Values held in memory that transactions change: each as on disk, and as the current transaction sees it. */

/** Values are never changed in place: a new one replaces `present`. */
export interface HeldValue<Value> {
  /** As on disk. */
  stored: Value;
  /** As of the last write that stays; see GatheredWrites. */
  kept: Value;
  /** As seen by the current transaction; outside one, as on disk. */
  present: Value;
}

/** What the current transaction has changed. */
export class HeldValues<State extends HeldValue<unknown>> {
  /** Since the last `keep`. */
  readonly changed = new Set<State>();
  /** Before that. */
  readonly #kept = new Set<State>();

  get isEmpty(): boolean {
    return this.changed.size === 0 && this.#kept.size === 0;
  }

  /** Everything that the transaction has changed. */
  get all(): ReadonlySet<State> {
    return this.#kept.size === 0 ? this.changed : this.#kept.union(this.changed);
  }

  add(state: State): void {
    this.changed.add(state);
  }

  keep(): void {
    for (const state of this.changed) {
      state.kept = state.present;
      this.#kept.add(state);
    }
    this.changed.clear();
  }

  undo(): void {
    for (const state of this.changed) state.present = state.kept;
    this.changed.clear();
  }

  reset(): void {
    if (this.isEmpty) return;
    for (const state of this.all) state.present = state.kept = state.stored;
    this.#clear();
  }

  committed(): void {
    for (const state of this.all) state.stored = state.kept = state.present;
    this.#clear();
  }

  #clear(): void {
    this.changed.clear();
    this.#kept.clear();
  }
}
