/** When something happened in a run that explains an otherwise wrong result. */
import { time } from "./virtual-time.ts";

export type Disturbance = "crash" | "connection" | "disk" | "carrier" | "receiver" | "customer" | "clock" | "operator";

interface Span {
  kind: Disturbance;
  from: number;
  to: number;
}

export class Disturbances {
  readonly #spans: Span[] = [];

  /** From now on, for this long. */
  add(kind: Disturbance, forMs = 0): void {
    this.#spans.push({ kind, from: time.monotonic, to: time.monotonic + forMs });
  }

  /** Whether one of these kinds overlaps the time from `from` to `to`. */
  touch(kinds: readonly Disturbance[], from: number, to: number): boolean {
    return this.#spans.some((span) => kinds.includes(span.kind) && span.from <= to && span.to >= from);
  }

  /** The end of the last one of these kinds that overlaps the time; `from` if none does. */
  endOf(kinds: readonly Disturbance[], from: number, to: number): number {
    const touching = this.#spans.filter((span) => kinds.includes(span.kind) && span.from <= to && span.to >= from);
    return Math.max(from, ...touching.map((span) => span.to));
  }
}
