/** A disk whose fsync takes 5 ms, such as one without a write cache: the remaining throughput, and the waiting time. */
import { join } from "node:path";
import { temporaryFolder } from "../support/test-server.ts";
import { alternate, assertAnswered, p99Of, rateOf, ratioOf } from "./alternate.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const fsyncMs = 5;
const shareMin = 0.7;
const p99MsMax = 60;

interface SlowDisk {
  env: Readonly<Record<string, string>>;
  prefix: readonly string[];
}

/**
 * A preloaded library if there is a C compiler, otherwise strace. Measured: both leave the same throughput as long as
 * strace traces only these two calls with a filter in the kernel; tracing every call leaves a third of it.
 */
async function slowDisk(folder: string): Promise<SlowDisk> {
  const compiler = Bun.which("cc");
  if (compiler !== null) {
    const library = join(folder, "slow-fsync.so");
    const source = join(import.meta.dir, "slow-fsync.c");
    const built = Bun.spawn([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], { stderr: "inherit" });
    if ((await built.exited) !== 0) throw new Error("slow-fsync.c could not be compiled");
    return { env: { LD_PRELOAD: library, FSYNC_DELAY_US: `${fsyncMs * 1_000}` }, prefix: [] };
  }
  const inject = `inject=fsync,fdatasync:delay_exit=${fsyncMs * 1_000}`;
  const filter = ["--seccomp-bpf", "-e", "trace=fsync,fdatasync"];
  return { env: {}, prefix: ["strace", "-f", ...filter, "-qq", "-o", "/dev/null", "-e", inject] };
}

/** Slow and fast in turn, with this many clients. */
async function beside(
  slow: BenchServer,
  fast: BenchServer,
  connections: number,
  scale: Scale,
): Promise<[LoadResult[], LoadResult[]]> {
  const loadOf = ({ peyk, customer }: BenchServer, seconds: number) =>
    load({ url: peyk.url, script: "send.lua", seconds, connections, apiKey: customer.apiKey });
  for (const server of [slow, fast]) await loadOf(server, scale.warmSeconds);
  const runs = [slow, fast].map((server) => () => loadOf(server, scale.loadSeconds));
  const [slowly = [], quickly = []] = await alternate(scale.rounds, runs);
  assertAnswered(slowly, quickly);
  return [slowly, quickly];
}

/** Both in turn, with pauses between the requests of a connection, so that together they ask for half of what is possible. */
async function atHalfLoad(
  servers: readonly [slow: BenchServer, fast: BenchServer],
  fullPerSecond: number,
  connections: number,
  { rounds, loadSeconds: seconds }: Scale,
): Promise<[LoadResult[], LoadResult[]]> {
  const cycleMs = (connections * 1_000) / (fullPerSecond / 2);
  // What a request itself takes at this load: about three commits.
  const restMs = Math.max(cycleMs - 3 * fsyncMs, 1);
  const runs = servers.map(({ peyk, customer }) => () => {
    const half = { url: peyk.url, script: "paced.lua" as const, apiKey: customer.apiKey, connections, restMs };
    return load({ ...half, seconds });
  });
  const [slowly = [], quickly = []] = await alternate(rounds, runs);
  assertAnswered(slowly, quickly);
  return [slowly, quickly];
}

export async function fsyncRows(scale: Scale): Promise<Measure[]> {
  const folder = temporaryFolder();
  const disk = await slowDisk(folder.path);
  const slow = await startBenchServer({ routesDisabled: true, ...disk });
  const fast = await startBenchServer({ routesDisabled: true });
  const measures: Measure[] = [];
  const more = scale.connections * 4;
  for (const connections of [scale.connections, more]) {
    const [slowly, quickly] = await beside(slow, fast, connections, scale);
    const share = ratioOf(slowly, quickly);
    measures.push({
      what: `accept while fsync takes ${fsyncMs} ms, ${connections} connections`,
      measured: perSecond(rateOf(slowly)),
      control: perSecond(rateOf(quickly)),
      ratio: share,
      // More clients share a commit: the bar is for a busy service.
      ...(connections === more && { bar: shareMin.toFixed(2), met: share >= shareMin }),
    });
    const [half, halfQuickly] = await atHalfLoad([slow, fast], rateOf(slowly), connections, scale);
    measures.push({
      what: `  its p99 at half load, ${perSecond(rateOf(half))}`,
      measured: milliseconds(p99Of(half)),
      control: milliseconds(p99Of(halfQuickly)),
      bar: `under ${milliseconds(p99MsMax)}`,
      met: p99Of(half) < p99MsMax,
    });
  }
  await slow.stop();
  await fast.stop();
  folder.remove();
  return measures;
}
