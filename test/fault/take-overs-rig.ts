/** `bun run faults cluster take-overs --runs N`: one cluster whose leader is lost N times, by a kill, a freeze, a partition and a hand-over in turn. */
import type { NodeProcess } from "../support/cluster.ts";
import { judged, onScene, require, type Scene } from "./cluster-scene.ts";
import type { FaultResult } from "./thin-rig.ts";

const kinds = ["killed", "frozen", "cut off", "handed over"] as const;
type Kind = (typeof kinds)[number];

const workers = 6;
/** Few enough that every message can be queried again at the end. */
const pauseMs = 150;
const messagesBetween = 20;

export interface TakeOvers {
  result: FaultResult;
  /** Milliseconds until a node answered a request with 202 again, by what happened to the leader. */
  tookMs: Record<Kind, number[]>;
}

/** `until`: epoch milliseconds; no further take-over begins after it. */
export function takeOvers(runs: number, until = Number.POSITIVE_INFINITY): Promise<TakeOvers> {
  return onScene({ workers, pauseMs }, async (scene) => {
    const tookMs: TakeOvers["tookMs"] = { killed: [], frozen: [], "cut off": [], "handed over": [] };
    let [leader, follower] = [scene.a, scene.b];
    for (let run = 0; run < runs && Date.now() < until; run += 1) {
      const kind = kinds[run % kinds.length] ?? "killed";
      await scene.load.acknowledges(messagesBetween);
      const ms = await taken(kind, scene, leader, follower);
      tookMs[kind].push(ms);
      console.error(`${run + 1}/${runs} ${leader.name} ${kind}: ${Math.round(ms)} ms`);
      [leader, follower] = [follower, leader];
    }
    return { result: await judged(scene), tookMs };
  });
}

async function taken(kind: Kind, { load }: Scene, leader: NodeProcess, follower: NodeProcess): Promise<number> {
  const answered = load.acknowledgedBy([follower]);
  if (kind === "killed") await leader.kill();
  else if (kind === "frozen") leader.signal("SIGSTOP");
  else if (kind === "cut off") leader.proxy.cut();
  else await leader.run("cluster", "hand-over");
  const tookMs = await answered;
  if (kind === "killed") leader.start();
  else if (kind === "frozen") leader.signal("SIGCONT");
  else if (kind === "cut off") leader.proxy.mend();
  await require(leader.follows(60_000), `${leader.name} follows`);
  return tookMs;
}

/** Minimum, median, 90th percentile and maximum, in whole milliseconds. */
export function distributionOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { runs: sorted.length, least: at(0), median: at(0.5), p90: at(0.9), most: at(1) };
}
