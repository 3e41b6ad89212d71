/**
 * `bun test/simulation/same.ts [SEEDS]`: whether seeds give the same events here and in a copy of the sources in
 * another folder, with another time zone and language, on one processor; and whether the last of them gives the same
 * alone as after all others in its process.
 */
import { copyOfSources } from "./copy-of-sources.ts";
import { runSeeds, type SeedOptions } from "./lanes.ts";

const seeds = Number(process.argv[2] ?? 50);
const elsewhere = { TZ: "Pacific/Chatham", LANG: "fa_IR.UTF-8", LC_ALL: "fa_IR.UTF-8" };
const messages = 20;

async function hashes(options: Partial<SeedOptions>): Promise<readonly string[]> {
  const { results } = await runSeeds({ from: 1, seeds, messages, lanes: 1, perProcess: seeds, ...options });
  return results.map(({ hash }) => hash);
}

const { root, remove } = copyOfSources();
try {
  const here = await hashes({});
  const there = await hashes({ root, env: elsewhere, launcher: ["taskset", "-c", "0"] });
  const [alone] = await hashes({ from: seeds, seeds: 1 });
  const unequal = here.flatMap((hash, index) => (hash === there[index] ? [] : [index + 1]));
  console.log(`here and in ${root}, with ${JSON.stringify(elsewhere)}, on one processor:`);
  console.log(unequal.length === 0 ? `${seeds} of ${seeds} seeds are equal` : `unequal are ${unequal.join()}`);
  console.log(`seed ${seeds} is ${here.at(-1)} as the last of its process, and ${alone} alone`);
  process.exitCode = unequal.length === 0 && alone === here.at(-1) ? 0 : 1;
} finally {
  remove();
}
