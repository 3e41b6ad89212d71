/** Files that were chosen for an import and are looked through first: kept in memory between the two steps of the form. */
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";

export interface ChosenFile {
  userId: number;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface ChosenFilesDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "after">;
}

const keptMs = 30 * 60_000;
/** Of all users together: four of the largest that a form takes. Past it the oldest is chosen again. */
const keptBytesMax = 64 * 1024 * 1024;

export class ChosenFiles {
  readonly #deps: ChosenFilesDeps;
  /** The oldest first. */
  readonly #kept = new Map<string, ChosenFile & { timer: Timer }>();

  constructor(deps: ChosenFilesDeps) {
    this.#deps = deps;
  }

  /** In the place of the one that the user chose before; returns the id under which it is found. */
  keep(file: ChosenFile): string {
    const id = this.#deps.random.uuid();
    for (const [known, { userId }] of this.#kept) if (userId === file.userId) this.drop(known);
    for (const known of [...this.#kept.keys()]) {
      if (this.#bytes + file.bytes.length > keptBytesMax) this.drop(known);
    }
    const timer = this.#deps.clock.after(keptMs, () => this.drop(id));
    this.#kept.set(id, { ...file, timer });
    return id;
  }

  /** Null where it is gone, or is another's. */
  of(userId: number, id: string): ChosenFile | null {
    const found = this.#kept.get(id);
    return found?.userId === userId ? found : null;
  }

  drop(id: string): void {
    this.#kept.get(id)?.timer.cancel();
    this.#kept.delete(id);
  }

  get #bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  }
}
