/** Runs seeds in several processes, a few dozen in each, since starting one costs more than a seed. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunResult } from "./world.ts";

export interface SeedOptions {
  from: number;
  seeds: number;
  messages: number;
  lanes: number;
  /** Check only this invariant. */
  only?: string;
  /** Two nodes over an engine, for every seed. */
  isCluster?: boolean;
  /** Where the simulation is; a copy with a defect has its own. */
  root?: string;
  /** Seeds in one process; 25 by default. */
  perProcess?: number;
  /** The command that starts the process, such as `taskset`. */
  launcher?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Ends the run: true once enough is known. */
  isEnough?: (result: SeedResult) => boolean;
}

export type SeedResult = Omit<RunResult, "lines">;

export interface LanesResult {
  results: SeedResult[];
  cpuSeconds: number;
}

const usualPerProcess = 25;
const repository = join(import.meta.dir, "..", "..");

/** In the order of the seeds. Rejects if a process ends before all of its seeds. */
export async function runSeeds(options: SeedOptions): Promise<LanesResult> {
  const { from, seeds, lanes, perProcess = usualPerProcess, isEnough = () => false } = options;
  const chunks = Array.from({ length: Math.ceil(seeds / perProcess) }, (_, index) => ({
    first: from + index * perProcess,
    last: Math.min(from + (index + 1) * perProcess, from + seeds) - 1,
  }));
  const folder = mkdtempSync("/dev/shm/peyk-lanes-");
  const results: SeedResult[] = [];
  let cpuSeconds = 0;
  let isOver = false;
  const lane = async () => {
    for (let chunk = chunks.shift(); chunk !== undefined && !isOver; chunk = chunks.shift()) {
      cpuSeconds += await runChunk({ ...options, folder }, chunk, (result) => {
        results.push(result);
        isOver ||= isEnough(result);
        return isOver;
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { results: results.sort((one, other) => one.seed - other.seed), cpuSeconds };
}

async function runChunk(
  {
    messages,
    only = "",
    isCluster = false,
    folder,
    root = repository,
    launcher = [],
    env = {},
  }: SeedOptions & { folder: string },
  { first, last }: { first: number; last: number },
  took: (result: SeedResult) => boolean,
): Promise<number> {
  const script = join(root, "test", "simulation", "seeds.ts");
  const values = [first, last, messages, only, ...(isCluster ? ["cluster"] : [])].map(String);
  const child = Bun.spawn([...launcher, process.execPath, script, ...values], {
    // In a container the path means something else.
    cwd: existsSync(root) ? root : repository,
    env: { ...process.env, ...env, SIMULATION_FOLDER: folder },
    stdin: "ignore",
    stderr: "inherit",
  });
  let rest = "";
  let next = first;
  let isOver = false;
  const decoder = new TextDecoder();
  for await (const bytes of child.stdout) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      next += 1;
      isOver ||= took(JSON.parse(line));
    }
    if (isOver) child.kill();
  }
  await child.exited;
  if (!isOver && next <= last) throw new Error(`The process ended with ${child.exitCode} in seed ${next}`);
  const used = child.resourceUsage()?.cpuTime.total ?? 0;
  return Number(used) / 1_000_000;
}
