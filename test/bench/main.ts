/**
 * `bun run bench [ROW …]`: what Peyk promises about speed, measured on this machine beside a control in the same run.
 * `--large` stores ten million messages for the rows growth, search and console in place of one million, `--stored N` so many.
 * `bun run bench cost [--old BINARY] [--new BINARY] [--rounds N] [--row NAME]…`: what a message costs in processor time, beside
 * another build; it runs only when asked for. `bun run bench start --old BINARY`: a start and its memory beside another build's;
 * `bun run bench memory --old BINARY`: its memory after many messages. `bun run bench record`: a table of absolute figures to
 * publish, with the machine; `bun run bench ported`: a table of ten million ported numbers, imported and at acceptance; `bun run bench cluster`: two nodes and PostgreSQL beside one node; `bun run bench cluster-stored --large`: a
 * node joins and takes over a cluster of ten million messages; `bun run bench cluster-sums`: what it costs to compare the files of
 * nodes. All of them run only when asked for, too.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../../scripts/build.ts";
import { acceptRows } from "./accept.ts";
import { backlogRows } from "./backlog.ts";
import { batchRows } from "./batch.ts";
import { callbackRows } from "./callbacks.ts";
import { clusterRows } from "./cluster.ts";
import { clusterStoredRows } from "./cluster-stored.ts";
import { clusterSumRows } from "./cluster-sums.ts";
import { consoleRows } from "./console.ts";
import { type CostOptions, type CostRowName, costRowNames, costRows } from "./cost.ts";
import { doorRows } from "./doors.ts";
import { dropInRows } from "./drop-in.ts";
import { endToEndRows } from "./e2e.ts";
import { fsyncRows } from "./fsync.ts";
import { groupRows } from "./groups.ts";
import { growthRows } from "./growth.ts";
import { hangingHostRows } from "./hanging-hosts.ts";
import { memoryRows } from "./memory.ts";
import { otpRows } from "./otp.ts";
import { portedRows } from "./ported.ts";
import { recordText } from "./record.ts";
import { type Measure, printReport } from "./report.ts";
import { fullScale, largeScale, type Scale } from "./scale.ts";
import { searchRows } from "./search.ts";
import { smppServerRows } from "./smpp-server.ts";
import { listenerRows, startRows } from "./start.ts";
import { isWrkInstalled } from "./wrk.ts";

const usage = `usage: bun run bench [--large | --stored N] [ROW …]
       bun run bench start|memory [--old BINARY]
       bun run bench record
       bun run bench cost [--old BINARY] [--new BINARY] [--rounds 20] [--row ${costRowNames.join("|")}]…`;

/** Throws for an unknown option. */
const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      old: { type: "string" },
      new: { type: "string" },
      rounds: { type: "string", default: "20" },
      stored: { type: "string" },
      row: { type: "string", multiple: true, default: [...costRowNames] },
    },
  });

function refuse(problem: string, exitCode = 2): never {
  console.error(problem);
  process.exit(exitCode);
}

function parsed(): ReturnType<typeof readArguments> {
  try {
    return readArguments();
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

const { values, positionals: asked } = parsed();
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) refuse(`--rounds: not a number of rounds: ${values.rounds}`);
for (const binary of [values.old, values.new]) {
  if (binary !== undefined && !existsSync(binary)) refuse(`There is no binary ${binary}`, 1);
}
const isCostRow = (name: string): name is CostRowName => costRowNames.some((known) => known === name);
const costOptions: Omit<CostOptions, "newer"> = {
  ...(values.old !== undefined && { older: [values.old] }),
  rounds,
  rows: values.row.filter(isCostRow),
};

const older = values.old === undefined ? null : [values.old];
const memoryRounds = 5;
const onlyWhenAsked: readonly string[] = [
  "cost",
  "ported",
  "memory",
  "record",
  "cluster",
  "cluster-stored",
  "cluster-sums",
];

const rows: Readonly<Record<string, (scale: Scale) => Promise<Measure[]>>> = {
  accept: acceptRows,
  batch: batchRows,
  smpp: smppServerRows,
  "drop-in": dropInRows,
  doors: doorRows,
  callbacks: callbackRows,
  "hanging-hosts": hangingHostRows,
  e2e: endToEndRows,
  growth: growthRows,
  search: searchRows,
  console: consoleRows,
  fsync: fsyncRows,
  backlog: backlogRows,
  start: (scale) => startRows(scale, older),
  memory: (scale) => memoryRows(scale, memoryRounds, older),
  listeners: listenerRows,
  groups: groupRows,
  otp: otpRows,
  cluster: clusterRows,
  "cluster-stored": clusterStoredRows,
  "cluster-sums": clusterSumRows,
  cost: (scale) => costRows(scale, { ...costOptions, newer: [binary] }),
  ported: (scale) => portedRows(scale, { rounds, newer: [binary] }),
  record: async (scale) => {
    console.log(await recordText(scale, new Date()));
    return [];
  },
};

const unknown = [...asked.filter((name) => rows[name] === undefined), ...values.row.filter((name) => !isCostRow(name))];
if (values.help || unknown.length > 0) {
  const problem = unknown.length > 0 ? `unknown row: ${unknown.join(", ")}\n` : "";
  refuse(`${problem}${usage}\nrows: ${Object.keys(rows).join(", ")}`, unknown.length > 0 ? 2 : 0);
}
if (!isWrkInstalled()) {
  refuse("The bench needs wrk: apt-get install wrk (and kannel, strace for the rows beside them)", 1);
}
const size = values.large ? largeScale : fullScale;
const stored = Number(values.stored ?? size.stored);
if (!Number.isInteger(stored) || stored < 1) refuse(`--stored: not a number of messages: ${values.stored}`);
const scale = { ...size, stored };
const wanted = asked.length > 0 ? asked : Object.keys(rows).filter((name) => !onlyWhenAsked.includes(name));
// A binary that is older than the last change would measure something else.
const built = values.new === undefined || wanted.some((name) => name !== "cost") ? await build() : null;
const binary = values.new ?? built ?? "";
const measures: Measure[] = [];
for (const [name, row] of Object.entries(rows)) {
  if (!wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  measures.push(...(await row(scale)));
}
if (measures.length > 0) printReport(measures);
