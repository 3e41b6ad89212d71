/**
 * `bun test/simulation/same.ts [SEEDS]`: whether seeds give the same events here and elsewhere: in a copy of the sources
 * in another folder, with another time zone and language, on one processor; and whether the last of them gives the same
 * alone as after all others in its process. With `--containers`, elsewhere is two Debian containers (their tree is made
 * by `bun run test:installed`; it takes root).
 */
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { debianTree, whyNoMachine } from "../support/machine.ts";
import { copyOfSources } from "./copy-of-sources.ts";
import { runSeeds, type SeedOptions } from "./lanes.ts";

const [seedsText = "50"] = process.argv.slice(2).filter((value) => !value.startsWith("--"));
const seeds = Number(seedsText);
const messages = 20;

async function hashes(options: Partial<SeedOptions>): Promise<readonly string[]> {
  const { results } = await runSeeds({ from: 1, seeds, messages, lanes: 1, perProcess: seeds, ...options });
  return results.map(({ hash }) => hash);
}

interface Elsewhere {
  name: string;
  options: Partial<SeedOptions>;
  remove(): void;
}

function inAnotherFolder(): Elsewhere {
  const { root, remove } = copyOfSources();
  const env = { TZ: "Pacific/Chatham", LANG: "fa_IR.UTF-8", LC_ALL: "fa_IR.UTF-8" };
  const name = `${root}, with ${JSON.stringify(env)}, on one processor`;
  return { name, options: { root, env, launcher: ["taskset", "-c", "0"] }, remove };
}

/** The repository is at `root` there, read-only, and there is nothing of this machine but the kernel and Bun. */
function inContainer(
  hostname: string,
  root: string,
  processors: string,
  env: Readonly<Record<string, string>>,
): Elsewhere {
  const bun = dirname(process.execPath);
  const launcher = [
    ...["taskset", "-c", processors, "systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network"],
    ...[`--hostname=${hostname}`, `--directory=${debianTree}`, "--volatile=overlay", `--bind-ro=${bun}`],
    `--bind-ro=${join(import.meta.dir, "..", "..")}:${root}`,
    ...Object.entries(env).map(([key, value]) => `--setenv=${key}=${value}`),
    "--",
  ];
  const name = `a container, in ${root}, with ${JSON.stringify(env)}, on processor ${processors}`;
  return { name, options: { root, launcher }, remove: () => {} };
}

function inContainers(): Elsewhere[] {
  const why = whyNoMachine();
  if (why !== null) throw new Error(`There are no containers here: ${why}`);
  const all = `0-${availableParallelism() - 1}`;
  return [
    inContainer("first", "/srv/peyk", "0", { TZ: "Pacific/Chatham", LANG: "fa_IR.UTF-8", LC_ALL: "fa_IR.UTF-8" }),
    inContainer("second", "/home/a/longer path/پیک", all, { TZ: "America/St_Johns", LC_ALL: "tr_TR.UTF-8" }),
  ];
}

const here = await hashes({});
const [alone] = await hashes({ from: seeds, seeds: 1 });
console.log(`seed ${seeds} is ${here.at(-1)} as the last of its process, and ${alone} alone`);
let isSame = alone === here.at(-1);
for (const { name, options, remove } of process.argv.includes("--containers") ? inContainers() : [inAnotherFolder()]) {
  try {
    const there = await hashes(options);
    const unequal = here.flatMap((hash, index) => (hash === there[index] ? [] : [index + 1]));
    isSame &&= unequal.length === 0;
    console.log(
      `here and in ${name}: ${unequal.length === 0 ? `${seeds} of ${seeds} seeds are equal` : `unequal are ${unequal.join()}`}`,
    );
  } finally {
    remove();
  }
}
process.exitCode = isSame ? 0 : 1;
