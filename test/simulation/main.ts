/** `bun run simulate`: many seeds in lanes; with `--seed` one, printed event by event, or shrunk. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { invariants, isInvariant } from "./invariants.ts";
import { runSeeds, type SeedResult } from "./lanes.ts";
import { say } from "./say.ts";

const usage = `bun run simulate [--seeds N] [--from SEED] [--lanes N] [--messages N] [--only INVARIANT] [--cluster]
bun run simulate --seed SEED [--tell] [--shrink] [--messages N] [--only INVARIANT] [--cluster]
bun run simulate --plan FILE [--tell] [--shrink] [--only INVARIANT]

Invariants: ${Object.keys(invariants).join(", ")}.`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "100" },
    from: { type: "string", default: "1" },
    lanes: { type: "string", default: String(availableParallelism()) },
    messages: { type: "string", default: "50" },
    only: { type: "string" },
    seed: { type: "string" },
    plan: { type: "string" },
    tell: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function many(): Promise<number> {
  const startedAt = performance.now();
  const failing: SeedResult[] = [];
  const { results, cpuSeconds } = await runSeeds({
    from: Number(values.from),
    seeds: Number(values.seeds),
    lanes: Number(values.lanes),
    messages: Number(values.messages),
    isCluster: values.cluster,
    ...(values.only !== undefined && { only: values.only }),
    isEnough: (result) => {
      if (result.violations.length > 0) {
        failing.push(result);
        say(result);
      }
      return false;
    },
  });
  const sum = (of: (result: SeedResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const all = new Bun.CryptoHasher("sha256")
    .update(results.map(({ hash }) => hash).join())
    .digest("hex")
    .slice(0, 16);
  const faults = `${sum(({ crashes }) => crashes)} crashes, ${sum(({ cuts }) => cuts)} of them power cuts`;
  console.log(
    `${results.length} seeds, ${faults}, ${sum(({ submits }) => submits)} submits; hash of all ${all}; ` +
      `${cpuSeconds.toFixed(0)} s of processor time, ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
  );
  console.log(
    failing.length === 0 ? "Nothing is violated." : `Violated in ${failing.length}: ${failing.map(({ seed }) => seed)}`,
  );
  return failing.length === 0 ? 0 : 1;
}

if (values.help || (values.only !== undefined && !isInvariant(values.only))) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}
async function one(): Promise<number> {
  // It takes the clock away from whoever imports it.
  const { runOne, runOneCluster } = await import("./one.ts");
  const { seed, plan, messages, tell, shrink, only, cluster } = values;
  const options = {
    seed: Number(seed),
    file: plan ?? null,
    messages: Number(messages),
    tell,
    shrink,
    only: only ?? null,
  };
  return cluster ? runOneCluster(options) : runOne(options);
}

process.exit(values.seed === undefined && values.plan === undefined ? await many() : await one());
