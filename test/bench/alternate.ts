/** Runs loads alternately, so that a machine whose speed drifts slows all of them alike, and compares their results. */
import { type Measure, median, medianInterval } from "./report.ts";
import type { LoadResult } from "./wrk.ts";

export async function alternate(
  rounds: number,
  loads: readonly (() => Promise<LoadResult>)[],
): Promise<LoadResult[][]> {
  const results: LoadResult[][] = loads.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of loads.entries()) results[index]?.push(await run());
  }
  return results;
}

/** Requests a second: the median of the rounds. */
export const rateOf = (results: readonly LoadResult[] = []): number =>
  median(results.map(({ perSecond }) => perSecond));

/** Milliseconds: the median of the rounds. */
export const p99Of = (results: readonly LoadResult[] = []): number => median(results.map(({ p99 }) => p99));

/** The median of each round's ratio. */
export const ratioOf = (a: readonly LoadResult[] = [], b: readonly LoadResult[] = []): number =>
  median(a.map(({ perSecond }, index) => perSecond / (b[index]?.perSecond ?? Number.NaN)));

/** The median of the rounds' ratios of a figure, with its interval. */
export function comparedBy(
  figure: "perSecond" | "p99",
  a: readonly LoadResult[] = [],
  b: readonly LoadResult[] = [],
): { ratio: number } & Pick<Measure, "interval"> {
  return compared(
    a.map((one) => one[figure]),
    b.map((one) => one[figure]),
  );
}

/** The same of any figures, in the order of the rounds. */
export function compared(a: readonly number[], b: readonly number[]): { ratio: number } & Pick<Measure, "interval"> {
  const ratios = a.map((one, index) => one / (b[index] ?? Number.NaN));
  return { ratio: median(ratios), interval: medianInterval(ratios) };
}

/** Throws where a request was not answered with 2xx: a refusal is cheaper than an acceptance and would flatter the rate. */
export function assertAnswered(...rounds: readonly (readonly LoadResult[] | undefined)[]): void {
  const errors = rounds.flatMap((results) => results ?? []).reduce((sum, result) => sum + result.errors, 0);
  if (errors > 0) throw new Error(`${errors} requests were not answered with 202`);
}
