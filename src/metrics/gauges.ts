/** Gauges that are read when Prometheus scrapes. */
import { Gauge, type Registry } from "./prom-client.ts";

export type GaugeRow = readonly [value: number, ...labels: string[]];
export type Gauges = ReturnType<typeof gaugesOf>;

/** They add gauges to the registry; one without a value, or with null, is not shown. */
export function gaugesOf(registry: Registry) {
  const labelled = (name: string, help: string, labelNames: string[], rows: () => readonly GaugeRow[]) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        // Without labels a reset leaves 0: a service without TLS reported that its certificate had expired in 1970.
        this.remove({});
        for (const [value, ...labels] of rows()) this.labels(...labels).set(value);
      },
    });
  const single = (name: string, help: string, value: () => number | null) =>
    labelled(name, help, [], () => {
      const now = value();
      return now === null ? [] : [[now]];
    });
  /** Of milliseconds, since the epoch or otherwise. */
  const seconds = (name: string, help: string, ms: () => number | null) =>
    single(name, help, () => {
      const now = ms();
      return now === null ? null : now / 1_000;
    });
  return { labelled, single, seconds };
}
