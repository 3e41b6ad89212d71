/**
 * Live figures: outcomes per minute over the last hour, and each route's speed. Sampled, in memory, since the start.
 */

import type { RouteSet } from "../dispatch/route-set.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { noOutcomes, type OutcomeCounts, outcomeNames } from "../store/rollups.ts";

export interface LiveFiguresDeps {
  clock: Clock;
  /** Since the start. */
  outcomes(): OutcomeCounts;
  running: Pick<RouteSet, "state">;
  routeIds(): readonly number[];
}

/** One minute, possibly still in progress. */
export interface OutcomeMinute extends OutcomeCounts {
  /** Its start, in epoch milliseconds. */
  at: number;
}

interface RateSample {
  /** Monotonic. */
  at: number;
  takenByRoute: ReadonlyMap<number, number>;
}

const minuteMs = 60_000;
const minutesKept = 60;
const sampleMs = 5_000;
/** The time over which a rate is measured. */
const rateMs = 5_000;

export class LiveFigures {
  readonly #deps: LiveFiguresDeps;
  readonly #minutes: OutcomeMinute[] = [];
  #counted: OutcomeCounts;
  #rates: RateSample[] = [];
  #timer: Timer | null = null;

  constructor(deps: LiveFiguresDeps) {
    this.#deps = deps;
    this.#counted = deps.outcomes();
  }

  start(): void {
    this.sample();
    this.#timer = this.#deps.clock.after(sampleMs, () => this.start());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /**
   * Oldest first, the current minute last; fewer than sixty in the first hour. `sent`: handed over, without a receipt
   * so far.
   */
  minutes(): readonly OutcomeMinute[] {
    this.sample();
    return this.#minutes;
  }

  /** Parts per second, over the last few seconds. */
  partsPerSecond(routeId: number): number {
    const first = this.#rates[0];
    const last = this.#rates.at(-1);
    const takenFirst = first?.takenByRoute.get(routeId);
    const takenLast = last?.takenByRoute.get(routeId);
    if (first === undefined || last === undefined || takenFirst === undefined || takenLast === undefined) return 0;
    // A restarted route counts from zero.
    const seconds = (last.at - first.at) / 1_000;
    return seconds <= 0 ? 0 : Math.max(0, takenLast - takenFirst) / seconds;
  }

  sample(): void {
    const { clock, outcomes } = this.#deps;
    this.#sampleRates();
    const at = Math.floor(clock.now() / minuteMs) * minuteMs;
    const total = outcomes();
    const before = this.#counted;
    this.#counted = total;
    if (this.#minutes.at(-1)?.at !== at) this.#minutes.push({ at, ...noOutcomes });
    if (this.#minutes.length > minutesKept) this.#minutes.shift();
    const minute = this.#minutes.at(-1);
    if (minute === undefined) return;
    for (const name of outcomeNames) minute[name] += total[name] - before[name];
  }

  #sampleRates(): void {
    const { clock, running, routeIds } = this.#deps;
    const at = clock.monotonic();
    const takenByRoute = new Map(routeIds().map((id) => [id, running.state(id)?.partsTaken ?? 0]));
    this.#rates.push({ at, takenByRoute });
    while (at - (this.#rates[1]?.at ?? at) >= rateMs) this.#rates.shift();
  }
}
