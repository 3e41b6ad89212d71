/** One seed or plan, printed event by event, or shrunk. */
import "./virtual-time.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { type ClusterPlan, drawClusterPlan } from "./cluster-plan.ts";
import { clusterMessages, runClusterPlan } from "./cluster-run.ts";
import type { Invariant } from "./invariants.ts";
import { drawPlan, type Plan } from "./plan.ts";
import { say } from "./say.ts";
import { type FoundPlan, hasClusterFaults, shrunk } from "./shrink.ts";
import { type RunOptions, type RunResult, runPlan } from "./world.ts";

export interface OneOptions {
  seed: number;
  /** Of a plan, instead of the seed's. */
  file: string | null;
  messages: number;
  tell: boolean;
  shrink: boolean;
  /** Check only this invariant. */
  only: string | null;
}

/** Older ones name no other customer, and their texts ask nothing. */
type StoredPlan = Omit<Plan, "others" | "lookup"> & Partial<Pick<Plan, "others" | "lookup">>;

function planOf({ seed, file, messages }: OneOptions): Plan {
  if (file === null) return drawPlan(seed, messages);
  const read: StoredPlan | { plan: StoredPlan } = JSON.parse(readFileSync(file, "utf8"));
  return { others: [], lookup: null, ...("plan" in read ? read.plan : read) };
}

/** Returns the exit code. A stored plan tells itself whether it is of a cluster. */
export function runOne(options: OneOptions): number {
  const plan = planOf(options);
  return hasClusterFaults(plan) ? runIt(plan, options, runClusterPlan) : runIt(plan, options, runPlan);
}

/** Two nodes over an engine. Returns the exit code. */
export const runOneCluster = (options: OneOptions): number =>
  runIt<ClusterPlan>(drawClusterPlan(options.seed, clusterMessages), options, runClusterPlan);

function runIt<P extends Plan>(
  plan: P,
  { only, tell, shrink }: OneOptions,
  run: (plan: P, options: RunOptions) => RunResult,
): number {
  const isChecked = (invariant: Invariant) => only === null || only === invariant;
  const result = run(plan, { isTold: tell, isChecked });
  say(result);
  const [first] = result.violations;
  if (first === undefined) return 0;
  if (shrink) keepShrunk(plan, first.invariant, run);
  return 1;
}

function keepShrunk<P extends Plan>(
  plan: P,
  invariant: Invariant,
  run: (plan: P, options: RunOptions) => RunResult,
): void {
  let runs = 0;
  const small = shrunk(plan, (candidate) => {
    runs += 1;
    if (runs % 5 === 0) Bun.gc(true);
    return run(candidate, { isChecked: (checked) => checked === invariant }).violations.length > 0;
  });
  const result = run(small, { isChecked: (checked) => checked === invariant });
  for (const line of result.lines) console.log(line);
  const file = `simulation-${plan.seed}.json`;
  const found: FoundPlan = { defect: "", invariant, plan: small };
  writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`);
  console.log(
    `${small.messages.length} messages and ${small.faults.length} faults are left after ${runs} runs: ${file}`,
  );
}
