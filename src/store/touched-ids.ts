/** Ids that a commit touched, told to listeners once it is over. */
import { afterThisStretch } from "../platform/next-turn.ts";

export type IdsListener = (ids: ReadonlySet<number>) => void;

export class TouchedIds {
  readonly #listeners = new Set<IdsListener>();
  #touched = new Set<number>();

  /** Returns a function that ends the subscription. */
  readonly subscribe = (listener: IdsListener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(id: number): void {
    // A commit is one synchronous stretch: the microtask runs after it, whether it succeeded or failed.
    if (this.#touched.size === 0) {
      afterThisStretch(() => {
        const touched = this.#touched;
        this.#touched = new Set();
        for (const listener of this.#listeners) listener(touched);
      });
    }
    this.#touched.add(id);
  }
}
