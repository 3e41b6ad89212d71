/**
 * Live figures: outcomes per minute over the last hour, and each route's speed. Sampled, in memory; the minutes are
 * stored once a minute, so that the hour outlives a restart.
 */

import type { RouteSet } from "../dispatch/route-set.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { OutcomeMinute, OutcomeMinuteTable } from "../store/outcome-minutes.ts";
import { noOutcomes, type OutcomeCounts, outcomeNames } from "../store/rollups.ts";

export interface LiveFiguresDeps {
  clock: Clock;
  log: Pick<Logger, "warn">;
  store: {
    readonly tables: { readonly outcomeMinutes: Pick<OutcomeMinuteTable, "all"> };
    write(change: (tables: { readonly outcomeMinutes: OutcomeMinuteTable }) => void): Promise<void>;
  };
  /** Since the start. */
  outcomes(): OutcomeCounts;
  running: Pick<RouteSet, "state">;
  routeIds(): readonly number[];
}

interface RateSample {
  /** Monotonic. */
  at: number;
  takenByRoute: ReadonlyMap<number, number>;
}

const minuteMs = 60_000;
const keptMs = 60 * minuteMs;
const sampleMs = 5_000;
/** The time over which a rate is measured. */
const rateMs = 5_000;

export class LiveFigures {
  /** Oldest first; one in progress last. */
  #minutes: OutcomeMinute[];
  /** Earlier minutes are stored as they are. */
  #changedFrom = 0;
  #counted: OutcomeCounts;
  #rates: RateSample[] = [];
  #timer: Timer | null = null;

  constructor(private readonly deps: LiveFiguresDeps) {
    this.#minutes = deps.store.tables.outcomeMinutes.all();
    this.#counted = deps.outcomes();
  }

  start(): void {
    this.sample();
    this.#timer = this.deps.clock.after(sampleMs, () => this.start());
  }

  /** Stores the minutes a last time; a disk that refuses them does not keep the service from stopping. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.save().catch((reason: unknown) =>
      this.deps.log.warn({ err: reason }, "the minutes of the last hour are not stored"),
    );
  }

  /**
   * Oldest first, the current minute last; those in which the service did not run are missing. `sent`: handed over,
   * without a receipt so far.
   */
  minutes(): readonly OutcomeMinute[] {
    this.sample();
    return this.#minutes;
  }

  /** Stores the minutes that changed since the last call. @throws StoreUnavailable */
  async save(): Promise<void> {
    const current = this.sample();
    const changed = this.#minutes.filter(({ at }) => at >= this.#changedFrom).map((minute) => ({ ...minute }));
    await this.deps.store.write(({ outcomeMinutes }) => {
      outcomeMinutes.put(changed);
      outcomeMinutes.keepOnly(current - keptMs, current);
    });
    this.#changedFrom = current;
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

  /** Returns the start of the current minute. */
  sample(): number {
    const { clock, outcomes } = this.deps;
    this.#sampleRates();
    const current = Math.floor(clock.now() / minuteMs) * minuteMs;
    // Later ones are of a clock that was ahead.
    this.#minutes = this.#minutes.filter(({ at }) => at > current - keptMs && at <= current);
    const before = this.#counted;
    this.#counted = outcomes();
    const minute = this.#minuteAt(current);
    for (const name of outcomeNames) minute[name] += this.#counted[name] - before[name];
    return current;
  }

  #minuteAt(at: number): OutcomeMinute {
    const last = this.#minutes.at(-1);
    if (last?.at === at) return last;
    const minute = { at, ...noOutcomes };
    this.#minutes.push(minute);
    return minute;
  }

  #sampleRates(): void {
    const { clock, running, routeIds } = this.deps;
    const at = clock.monotonic();
    const takenByRoute = new Map(routeIds().map((id) => [id, running.state(id)?.partsTaken ?? 0]));
    this.#rates.push({ at, takenByRoute });
    while (at - (this.#rates[1]?.at ?? at) >= rateMs) this.#rates.shift();
  }
}
