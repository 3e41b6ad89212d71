/** The state of alerts over a restart: one document. */
import type { Drizzle } from "./drizzle.ts";
import { alertState } from "./schema.ts";

export class AlertStateTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  /** JSON as it was stored; null where nothing is yet. */
  read(): string | null {
    return this.#drizzle.select().from(alertState).get()?.state ?? null;
  }

  write(state: string): void {
    const row = { only: 1, state };
    this.#drizzle.insert(alertState).values(row).onConflictDoUpdate({ target: alertState.only, set: { state } }).run();
  }
}
