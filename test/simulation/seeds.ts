/** Runs seeds one after the other in this process, and prints a line of JSON for each: a lane of `bun run simulate`. */
import "./virtual-time.ts";
import { clusterMessages, runCluster } from "./cluster-run.ts";
import type { Invariant } from "./invariants.ts";
import type { SeedResult } from "./lanes.ts";
import { drawPlan } from "./plan.ts";
import { runStarts } from "./starts.ts";
import { runPlan } from "./world.ts";

/** One in this many seeds is about starts only. */
const startsEvery = 8;
/** And one about a cluster as well; with `cluster` every seed is about that alone. */
const clusterEvery = 8;
const clusterAt = 4;
/** What dead services leave is given back by then. */
const collectEvery = 5;

const [first, last, messages, only = "", world] = process.argv.slice(2);
const isChecked = (invariant: Invariant) => only === "" || only === invariant;

function resultOf(seed: number): SeedResult {
  const { lines: _, ...result } = runPlan(drawPlan(seed, Number(messages)), { isChecked });
  const starts = seed % startsEvery === 0 ? runStarts(seed) : null;
  const cluster = seed % clusterEvery === clusterAt ? runCluster(seed, clusterMessages, { isChecked }) : null;
  const others = [starts, cluster].filter((one) => one !== null);
  return {
    ...result,
    hash: [result, ...others].map(({ hash }) => hash).join(""),
    violations: [result, ...others].flatMap((one) => one.violations.filter(({ invariant }) => isChecked(invariant))),
    crashes: sumOf([result, ...others], ({ crashes }) => crashes),
    cuts: sumOf([result, ...others], ({ cuts }) => cuts),
    lostWrites: sumOf([result, ...others], ({ lostWrites }) => lostWrites),
  };
}

function sumOf(results: readonly SeedResult[], of: (result: SeedResult) => number): number {
  return results.reduce((sum, result) => sum + of(result), 0);
}

for (let seed = Number(first); seed <= Number(last); seed += 1) {
  console.log(JSON.stringify(world === "cluster" ? runCluster(seed, clusterMessages, { isChecked }) : resultOf(seed)));
  if (seed % collectEvery === 0) Bun.gc(true);
}
