/** Reads single metrics of the registry, as in a scrape, for checks within the process. */
import { Histogram, type Registry } from "./prom-client.ts";

/** One value and its labels: for a histogram those of `…_bucket`, with the upper bound as `le`. */
export interface MetricValue {
  value: number;
  labels: Readonly<Record<string, string | number>>;
}

/** The values of each name; an unknown metric has none. Only requested metrics are computed. */
export function metricReader(registry: Registry) {
  return async (names: readonly string[]): Promise<Map<string, readonly MetricValue[]>> => {
    const values = names.map(async (name) => [name, await valuesOf(registry, name)] as const);
    return new Map(await Promise.all(values));
  };
}

async function valuesOf(registry: Registry, name: string): Promise<readonly MetricValue[]> {
  const metric = registry.getSingleMetric(name.replace(/_bucket$/, ""));
  if (metric === undefined) return [];
  if (!(metric instanceof Histogram)) return (await metric.get()).values.map(ownValue);
  const { values } = await metric.getForPromString();
  return values.filter(({ metricName }) => metricName === name).map(ownValue);
}

/** The metric reuses and changes its object. */
function ownValue({ value, labels }: { value: number; labels: Partial<Record<string, string | number>> }): MetricValue {
  const given = Object.entries(labels).flatMap(([name, label]) => (label === undefined ? [] : [[name, label]]));
  return { value, labels: Object.fromEntries(given) };
}
