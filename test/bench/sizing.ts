/**
 * What a message costs by its way in and by what follows: processor time, and what stays on disk of it. `bun run bench record` prints it
 * below the record, and docs/sizing.md calculates with it.
 */
import { readFileSync } from "node:fs";
import { rowsIn } from "../support/peyk-process.ts";
import { programAt } from "../support/programs.ts";
import { type Contender, type CostRowName, costOf, startRow } from "./cost.ts";
import { cpuMicrosAtRest, cpuMicrosOf } from "./process-cpu.ts";
import { median, megabytes, microseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { startSubmitting } from "./smpp-server.ts";

type Command = readonly string[];

interface Way {
  what: string;
  row: CostRowName;
  /** Of a full-scale round. */
  messages: number;
}

const ways: readonly Way[] = [
  { what: "accepted, a request each", row: "accept", messages: 30_000 },
  { what: "accepted, batches of 500", row: "batch", messages: 100_000 },
  { what: "accepted, one-time passwords", row: "otp", messages: 20_000 },
  { what: "accepted, Kannel's sendsms", row: "sendsms", messages: 30_000 },
  { what: "accepted, with price, balance and quotas", row: "charged", messages: 30_000 },
  { what: "accepted, a request each → SMPP → receipt", row: "e2e", messages: 12_000 },
  { what: "the same, each step told to a webhook", row: "cycle", messages: 4_000 },
];
const inCluster: Way = {
  what: "accepted in a cluster, PostgreSQL on the same machine included",
  row: "cluster",
  messages: 15_000,
};

interface Cost {
  cpuMicros: number;
  /** Null where its database was not looked at. */
  bytes: number | null;
}

/** Pages of the database, in use or not, in octets; what a full log holds is included. */
function databaseBytes(pid: number): number {
  const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  const folder = argv[argv.indexOf("--data-dir") + 1] ?? "";
  const [row] = rowsIn<{ page_count: number }>(folder, "PRAGMA page_count");
  return (row?.page_count ?? Number.NaN) * 4_096;
}

async function measured(
  { pids, work }: Pick<Contender, "pids" | "work">,
  messages: number,
  rounds: number,
): Promise<Cost> {
  const [pid = 0] = pids;
  // Until the engine has compiled the hot path.
  await costOf({ pids, work, stop: () => {} }, messages);
  const before = databaseBytes(pid);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    costs.push((await costOf({ pids, work, stop: () => {} }, messages)).cpuMicros);
  return { cpuMicros: median(costs), bytes: (databaseBytes(pid) - before) / (rounds * messages) };
}

async function costOfWay({ row, messages }: Way, command: Command, scale: Scale): Promise<Cost> {
  const contender = await startRow(row, command, scale);
  try {
    return await measured(contender, Math.ceil(messages * scale.costShare), scale.rounds);
  } finally {
    await contender.stop();
  }
}

async function costOfSubmits(command: Command, { sampleSeconds, rounds }: Scale): Promise<Cost> {
  const { pids, work, stop } = await startSubmitting(command, sampleSeconds);
  const [pid = 0] = pids;
  try {
    await work();
    const before = databaseBytes(pid);
    const costs: number[] = [];
    let submits = 0;
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = cpuMicrosOf(pids);
      const accepted = await work();
      submits += accepted;
      costs.push(((await cpuMicrosAtRest(pids)) - startedAt) / accepted);
    }
    return { cpuMicros: median(costs), bytes: (databaseBytes(pid) - before) / submits };
  } finally {
    await stop();
  }
}

const head = ["a message", "processor time", "messages a second of one processor", "disk for a million"];

export async function sizingTable(command: Command, scale: Scale): Promise<string> {
  const costs: [string, Cost][] = [];
  for (const way of ways) costs.push([way.what, await costOfWay(way, command, scale)]);
  costs.push(["accepted, submit_sm", await costOfSubmits(command, scale)]);
  if (programAt("postgres") !== null) {
    const { cpuMicros } = await costOfWay(inCluster, command, scale);
    costs.push([inCluster.what, { cpuMicros, bytes: null }]);
  }
  const rows = costs.map(([what, { cpuMicros, bytes }]) => [
    what,
    microseconds(cpuMicros),
    perSecond(1e6 / cpuMicros),
    bytes === null ? "–" : megabytes(bytes),
  ]);
  return [head, ["---", "--:", "--:", "--:"], ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
