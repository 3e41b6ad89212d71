/** Describes the result of a run in words. */
import { invariants } from "./invariants.ts";
import type { SeedResult } from "./lanes.ts";

export function say({ seed, hash, violations, ...figures }: SeedResult): void {
  const { events, crashes, cuts, lostWrites, submits, repeats, virtualSeconds, realMs } = figures;
  const rest = `${crashes} crashes (${cuts} power cuts, ${lostWrites} writes lost), ${submits} submits (${repeats} repeated)`;
  const took = `${virtualSeconds} s in ${realMs} ms`;
  console.log(`seed ${seed}: ${hash}, ${events} events, ${rest}, ${took}`);
  for (const { invariant, atMs, words } of violations.slice(0, 10)) {
    console.log(`  ${invariant} (${invariants[invariant]}), at ${atMs.toFixed(0)} ms: ${words}`);
  }
}
