/** Metrics of the last half hour, so that rates can be evaluated without Prometheus. */

export interface Sample {
  value: number;
  labels: Readonly<Record<string, string | number>>;
}

interface Snapshot {
  /** Monotonic milliseconds. */
  at: number;
  values: ReadonlyMap<string, readonly Sample[]>;
}

/** Metrics that only increase and that conditions look at over a window of time. */
export const watchedCounters = [
  "peyk_submits_total",
  "peyk_receipts_total",
  "peyk_commit_failures_total",
  "peyk_commit_seconds_bucket",
  "peyk_event_loop_delay_seconds_bucket",
  "peyk_callback_attempts_total",
] as const;
export type WatchedCounter = (typeof watchedCounters)[number];

export const watchedGauges = ["peyk_queue_oldest_seconds"] as const;
export type WatchedGauge = (typeof watchedGauges)[number];

/** The longest window of any condition. */
const keptMs = 30 * 60_000;

export class MetricSamples {
  readonly #snapshots: Snapshot[] = [];

  /** `values`: the current values of the watched metrics. `at`: monotonic milliseconds. */
  add(at: number, values: ReadonlyMap<string, readonly Sample[]>): void {
    this.#snapshots.push({ at, values });
    // Keeps one sample older than every window: a window starts with the last value before it.
    while ((this.#snapshots[1]?.at ?? at) <= at - keptMs) this.#snapshots.shift();
  }

  gauge(name: WatchedGauge): readonly Sample[] {
    return this.#snapshots.at(-1)?.values.get(name) ?? [];
  }

  /** How much a counter grew within the window, or since the first sample if that is later. */
  increases(name: WatchedCounter, windowMs: number): Sample[] {
    const { now, before } = this.#window(windowMs);
    const known = new Map((before?.values.get(name) ?? []).map(({ labels, value }) => [keyOf(labels), value]));
    return (now?.values.get(name) ?? []).map(({ labels, value }) => ({
      labels,
      value: value - (known.get(keyOf(labels)) ?? 0),
    }));
  }

  /** The same, summed by one label; `where` selects the samples by their labels. */
  sums(name: WatchedCounter, windowMs: number, by: string, where: Sample["labels"] = {}): Map<string, number> {
    const wanted = this.increases(name, windowMs).filter(({ labels }) =>
      Object.entries(where).every(([label, value]) => labels[label] === value),
    );
    const sums = new Map<string, number>();
    for (const { labels, value } of wanted) {
      const group = String(labels[by] ?? "");
      sums.set(group, (sums.get(group) ?? 0) + value);
    }
    return sums;
  }

  /** Seconds that the window really covers, at least one. */
  seconds(windowMs: number): number {
    const { now, before } = this.#window(windowMs);
    return Math.max(((now?.at ?? 0) - (before?.at ?? 0)) / 1_000, 1);
  }

  /**
   * The value in a histogram's unit below which this share of its observations lies; null without any. Like
   * histogram_quantile in Prometheus.
   */
  quantile(name: WatchedCounter, windowMs: number, share: number): number | null {
    const buckets = this.increases(name, windowMs)
      .map(({ labels: { le = "" }, value }) => ({
        bound: le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le),
        value,
      }))
      .sort((a, b) => a.bound - b.bound);
    const rank = (buckets.at(-1)?.value ?? 0) * share;
    const index = buckets.findIndex(({ value }) => value >= rank);
    const bucket = buckets[index];
    if (rank === 0 || bucket === undefined) return null;
    const { bound: low, value: below } = buckets[index - 1] ?? { bound: 0, value: 0 };
    if (bucket.bound === Number.POSITIVE_INFINITY) return low;
    return low + ((bucket.bound - low) * (rank - below)) / (bucket.value - below);
  }

  #window(windowMs: number): { now: Snapshot | undefined; before: Snapshot | undefined } {
    const now = this.#snapshots.at(-1);
    const from = (now?.at ?? 0) - windowMs;
    return { now, before: this.#snapshots.findLast(({ at }) => at <= from) ?? this.#snapshots[0] };
  }
}

const keyOf = (labels: Sample["labels"]) => JSON.stringify(labels);
