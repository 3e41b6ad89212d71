/** Runs seeds one after the other in this process, and prints a line of JSON for each: what the lanes of `bun run simulate` are. */
import "./virtual-time.ts";
import type { Invariant } from "./invariants.ts";
import { drawPlan } from "./plan.ts";
import { runStarts } from "./starts.ts";
import { runPlan } from "./world.ts";

/** One seed in so many is about starts alone. */
const startsEvery = 8;
/** What dead services leave is given back by then. */
const collectEvery = 5;

const [first, last, messages, only] = process.argv.slice(2);
const isChecked = (invariant: Invariant) => only === undefined || only === invariant;
for (let seed = Number(first); seed <= Number(last); seed += 1) {
  const { lines: _, ...result } = runPlan(drawPlan(seed, Number(messages)), { isChecked });
  const starts = seed % startsEvery === 0 ? runStarts(seed) : null;
  const violations = [...result.violations, ...(starts?.violations.filter((one) => isChecked(one.invariant)) ?? [])];
  console.log(JSON.stringify({ ...result, hash: result.hash + (starts?.hash ?? ""), violations }));
  if (seed % collectEvery === 0) Bun.gc(true);
}
