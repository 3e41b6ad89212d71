/**
 * `bun run faults`: every rig with its failing control, as root, and a table of accepted, lost, doubled and wrong. `bun
 * run faults cluster`: the rigs of a cluster. `bun run faults cluster take-overs --runs 100`: one cluster that loses
 * its leader again and again; `--until 2026-12-01T09:00Z` ends earlier.
 */
import { parseArgs } from "node:util";
import { programAt } from "../support/programs.ts";
import { clockRun, whyNoWallClock } from "./clock-rig.ts";
import {
  heldCopyRun,
  readRun,
  takeOverRun,
  unreplicatedRun,
  withoutFurtherCommit,
  withoutGate,
  withoutPosition,
} from "./cluster-rig.ts";
import { oldEpochRun, withoutEpoch } from "./epoch-rig.ts";
import {
  flippedBit,
  fullEngine,
  killedInCatchUp,
  killedInJoin,
  killedInTakeOver,
  powerCut,
  rollingUpgrade,
  skewedClocks,
} from "./recovery-rig.ts";
import { shortLogRun } from "./short-log-rig.ts";
import { carelessRun, type FaultResult, powerCutRun, thinRun, withoutSyncs } from "./thin-rig.ts";
import { whyNoThinVolume } from "./thin-volume.ts";

interface Rig {
  fault: string;
  run(): Promise<FaultResult>;
  /** Something that must lose under the same fault; omitted if the faults share one with others. */
  control?(): Promise<FaultResult>;
}

/** `bun run faults cluster`. */
const clusterRigs: readonly Rig[] = [
  { fault: "leader killed", run: () => takeOverRun("killed") },
  { fault: "leader frozen for 30 s and woken", run: () => takeOverRun("frozen for 30 s") },
  { fault: "leader cut off from PostgreSQL", run: () => takeOverRun("cut off from PostgreSQL") },
  { fault: "leader cut off from the carrier", run: () => takeOverRun("cut off from the carrier") },
  { fault: "leader cut off from both", run: () => takeOverRun("cut off from PostgreSQL and the carrier") },
  { fault: "leader killed, a transaction left open", run: () => takeOverRun("killed, and its transaction left open") },
  { fault: "PostgreSQL's primary gone, its standby promoted", run: () => takeOverRun("with a failed PostgreSQL") },
  { fault: "PostgreSQL's primary frozen and woken", run: () => takeOverRun("with a frozen PostgreSQL") },
  {
    fault: "a commit that the standby never had",
    run: () => unreplicatedRun(),
    control: () => unreplicatedRun(withoutFurtherCommit),
  },
  { fault: "a cancel read before it is replicated", run: () => readRun(), control: () => readRun(withoutGate) },
  {
    fault: "leaders that end beside a held copy",
    run: () => heldCopyRun(),
    control: () => heldCopyRun(withoutPosition),
  },
  { fault: "an append of a replaced leader", run: () => oldEpochRun(), control: () => oldEpochRun(withoutEpoch) },
  { fault: "node killed while it takes over", run: killedInTakeOver },
  { fault: "node killed while it catches up", run: killedInCatchUp },
  { fault: "node killed while it joins", run: killedInJoin },
  { fault: "rolling upgrade, killed while it migrates", run: rollingUpgrade },
  { fault: "power cut: the leader's log cut at any octet", run: powerCut },
  { fault: "a flipped bit in an entry", run: flippedBit },
  { fault: "PostgreSQL's disk full", run: fullEngine },
  { fault: "clocks skewed by an hour", run: skewedClocks },
];

const machineRigs: readonly Rig[] = [
  {
    fault: "power cut under load",
    run: () => powerCutRun(),
    control: () => powerCutRun(withoutSyncs),
  },
  {
    fault: "log cut short or gone after a kill",
    run: () => shortLogRun(),
    control: () => shortLogRun(false),
  },
  {
    fault: "thin volume full at the log, mended, cut",
    run: () => thinRun("log"),
    control: () => carelessRun("log"),
  },
  {
    fault: "thin volume full at a checkpoint, mended, cut",
    run: () => thinRun("checkpoint"),
    control: () => carelessRun("checkpoint"),
  },
  {
    fault: "thin volume full at the log, half a write called whole",
    run: () => thinRun("half"),
    control: () => carelessRun("half"),
  },
  {
    fault: "thin volume full at a checkpoint that it calls whole",
    run: () => thinRun("growth"),
    control: () => carelessRun("growth"),
  },
  {
    fault: "wall clock ahead and back, under load and kills",
    run: () => clockRun(),
    control: () => clockRun(true),
  },
];

const columns = ["fault", "runs", "accepted", "lost", "doubled", "wrong", "refused in words"] as const;
type Row = Record<(typeof columns)[number], string | number>;

function rowOf(fault: string, results: readonly FaultResult[]): Row {
  const sum = (field: "accepted" | "lost" | "doubled" | "wrong") =>
    results.reduce((total, result) => total + result[field], 0);
  return {
    fault,
    runs: results.length,
    accepted: sum("accepted"),
    lost: sum("lost"),
    doubled: sum("doubled"),
    wrong: sum("wrong"),
    "refused in words": results.filter(({ refusal }) => refusal !== null).length,
  };
}

const whyNoPostgres = () => {
  const lacking = ["postgres", "strace"].filter((program) => programAt(program) === null);
  return lacking.length === 0 ? null : `there is no ${lacking.join(", ")}`;
};
const whyNoMachineFaults = () =>
  whyNoThinVolume() ?? whyNoWallClock() ?? (Bun.which("strace") === null ? "there is no strace" : null);

const isHarmed = ({ lost, doubled, wrong, refusal }: FaultResult) => lost + doubled + wrong > 0 || refusal !== null;

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "20" }, until: { type: "string" } },
  allowPositionals: true,
});
const isOfCluster = positionals[0] === "cluster";
const asked = isOfCluster ? positionals.slice(1) : positionals;
const isTakeOvers = isOfCluster && asked[0] === "take-overs";
const isAsked = ({ fault }: Rig) => asked.length === 0 || asked.some((word) => fault.includes(word));
const rigs = (isOfCluster ? clusterRigs : machineRigs).filter(isAsked);
if (rigs.length === 0 && !isTakeOvers) throw new Error(`No fault is called ${asked.join(" or ")}`);
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs wants a whole number");
const missing = isOfCluster ? whyNoPostgres() : whyNoMachineFaults();
if (missing !== null) {
  console.error(`No fault can be made here: ${missing}.`);
  process.exit(2);
}

if (isTakeOvers) {
  const { takeOvers, distributionOf } = await import("./take-overs-rig.ts");
  const until = values.until === undefined ? Number.POSITIVE_INFINITY : Date.parse(values.until);
  const { result, tookMs } = await takeOvers(runs, until);
  console.log("Milliseconds until a request was answered with 202 again:");
  console.table({
    ...Object.fromEntries(Object.entries(tookMs).map(([kind, values]) => [kind, distributionOf(values)])),
    all: distributionOf(Object.values(tookMs).flat()),
  });
  console.table([rowOf("leader lost, again and again", [result])], [...columns]);
  process.exit(isHarmed(result) ? 1 : 0);
}

if (!isOfCluster && asked.length === 0) {
  const env = { ...process.env, TEST_FAULTS: "all" };
  const tests = Bun.spawnSync([process.execPath, "test", "--timeout=600000", "test/fault"], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (tests.exitCode !== 0) process.exit(tests.exitCode ?? 1);
}

const table: Row[] = [];
let isBad = false;
for (const { fault, run, control } of rigs) {
  const controlResult = await control?.();
  if (controlResult !== undefined) table.push(rowOf(`  control: ${fault}`, [controlResult]));
  if (controlResult !== undefined && !isHarmed(controlResult)) {
    console.error(`The control of "${fault}" lost nothing, so the rig proves nothing.`);
    isBad = true;
  }
  const results: FaultResult[] = [];
  for (let index = 0; index < runs; index += 1) {
    const result = await run();
    results.push(result);
    console.error(`${fault} ${index + 1}/${runs}: ${JSON.stringify(result)}`);
  }
  table.push(rowOf(fault, results));
  if (results.some(({ lost, doubled, wrong }) => lost + doubled + wrong > 0)) isBad = true;
}
console.table(table, [...columns]);
process.exit(isBad ? 1 : 0);
