/** A cluster with months of messages: a node joins while customers are served, and takes over again and again. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { type Cluster, type ClusterCustomer, Load, lostOf, makeClusterOn } from "../support/cluster.ts";
import { diligentSettings, startPostgres } from "../support/postgres.ts";
import { type Measure, milliseconds } from "./report.ts";
import type { Scale } from "./scale.ts";

const workers = 8;
const pauseMs = 20;
const takeOverRuns = 4;
const takeOverMsMax = 7_000;
const messagesBetween = 50;
/** For a busy machine. */
const waitMsMax = 120_000;
const lookEveryMs = 10;

export async function clusterStoredRows({ stored }: Scale): Promise<Measure[]> {
  const pair = await startPostgres({ lines: diligentSettings });
  try {
    let customer: ClusterCustomer | null = null;
    const cluster = await makeClusterOn(pair, {
      isDirect: true,
      fill: async (folder) => {
        customer = await filledIn(folder, stored);
      },
    });
    try {
      if (customer === null) throw new Error("There is no customer");
      return await measured(cluster, customer, stored);
    } finally {
      await cluster.remove();
    }
  } finally {
    await pair.remove();
  }
}

/**
 * In another process: a connection of this process to the database would be closed at some later time and, after a
 * kill, would be the last one, which checkpoints the log.
 */
async function filledIn(folder: string, stored: number): Promise<ClusterCustomer> {
  const script = join(import.meta.dir, "fill.ts");
  const child = Bun.spawn([process.execPath, script, folder, `${stored}`], { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("The folder was not filled");
  const customer: ClusterCustomer = JSON.parse(text);
  return customer;
}

async function measured(cluster: Cluster, customer: ClusterCustomer, stored: number): Promise<Measure[]> {
  let [leader, follower] = cluster.nodes;
  if (leader === undefined || follower === undefined) throw new Error("A cluster has two nodes");
  leader.start();
  if (!(await leader.leads(waitMsMax))) throw new Error(`The node never led: ${leader.log}`);
  const load = new Load([leader, follower], customer, workers, pauseMs);
  try {
    await load.acknowledges(messagesBetween);
    const before = load.acknowledged.size;
    const startedAt = performance.now();
    const joining = cluster.join(leader, follower);
    const silentMs = await longestSilence(load, joining);
    follower.start();
    if (!(await follower.follows(waitMsMax))) throw new Error(`The node never followed: ${follower.log}`);
    const joinMs = performance.now() - startedAt;
    const servedMeanwhile = load.acknowledged.size - before;
    const megabytes = statSync(join(leader.folder, "peyk.db")).size / 1e6;
    const tookMs: number[] = [];
    for (let run = 0; run < takeOverRuns; run += 1) {
      await load.acknowledges(messagesBetween);
      const answered = load.acknowledgedBy([follower]);
      await leader.kill();
      tookMs.push(await answered);
      leader.start();
      if (!(await leader.follows(waitMsMax))) throw new Error(`The node never followed again: ${leader.log}`);
      [leader, follower] = [follower, leader];
    }
    await load.stop();
    const lost = await lostOf(leader, customer, load.acknowledged);
    if (lost.length > 0) throw new Error(`Lost: ${lost.join(", ")}`);
    const most = Math.max(...tookMs);
    return [
      {
        what: `a node joins ${stored.toLocaleString("en")} messages (${megabytes.toFixed(0)} MB), and follows`,
        measured: milliseconds(joinMs),
      },
      { what: `  longest time without a 202 meanwhile (of ${servedMeanwhile})`, measured: milliseconds(silentMs) },
      {
        what: `  kill to the next 202, longest of ${takeOverRuns}; of ${load.acknowledged.size} messages none lost`,
        measured: milliseconds(most),
        bar: "7 s",
        met: most <= takeOverMsMax,
      },
    ];
  } finally {
    await load.stop();
  }
}

/** The time that `work` takes, in milliseconds. */
async function longestSilence(load: Load, work: Promise<void>): Promise<number> {
  let isWorking = true;
  const worked = work.finally(() => {
    isWorking = false;
  });
  let [longestMs, count, since] = [0, load.acknowledged.size, performance.now()];
  while (isWorking) {
    await Bun.sleep(lookEveryMs);
    const now = performance.now();
    longestMs = Math.max(longestMs, now - since);
    if (load.acknowledged.size > count) [count, since] = [load.acknowledged.size, now];
  }
  await worked;
  return longestMs;
}
