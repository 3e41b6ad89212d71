/** Files chosen for an import, kept in memory between the preview and the import. */
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";

export interface ChosenFile {
  userId: number;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A CSV of its wrong lines with their reasons, if it was refused because of them. */
  wrongLines?: string;
}

export interface ChosenFilesDeps {
  random: Pick<Random, "uuid">;
  clock: Pick<Clock, "after">;
}

const keptMs = 30 * 60_000;
/**
 * For all users together: four of the largest files that a form accepts. Beyond that the oldest is dropped and has to
 * be chosen again.
 */
const keptBytesMax = 64 * 1024 * 1024;

export class ChosenFiles {
  /** Oldest first. */
  readonly #kept = new Map<string, ChosenFile & { timer: Timer }>();

  constructor(private readonly deps: ChosenFilesDeps) {}

  /** Replaces the user's previous file; returns the id for retrieving it. */
  keep(file: ChosenFile): string {
    const id = this.deps.random.uuid();
    for (const [known, { userId }] of this.#kept) if (userId === file.userId) this.drop(known);
    for (const known of [...this.#kept.keys()]) {
      if (this.#bytes + file.bytes.length > keptBytesMax) this.drop(known);
    }
    const timer = this.deps.clock.after(keptMs, () => this.drop(id));
    this.#kept.set(id, { ...file, timer });
    return id;
  }

  /** Null if it is gone or belongs to another user. */
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
