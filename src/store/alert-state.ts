/** Keeps the state of alerts across restarts, as one JSON document. */
import type { Drizzle } from "./drizzle.ts";
import { alertState } from "./schema.ts";

export class AlertStateTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  /** The stored JSON; null if nothing has been stored yet. */
  read(): string | null {
    return this.#drizzle.select().from(alertState).get()?.state ?? null;
  }

  write(state: string): void {
    const row = { only: 1, state };
    this.#drizzle.insert(alertState).values(row).onConflictDoUpdate({ target: alertState.only, set: { state } }).run();
  }
}
