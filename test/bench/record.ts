/**
 * One table to publish, for the machine it runs on: Peyk's absolute figures, beside Kannel's where Kannel does the
 * same.
 */
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { residentMb, startBenchServer } from "./bench-server.ts";
import { startCycle } from "./cycle.ts";
import { type CycleReceiver, startCycleReceiver } from "./cycle-receiver.ts";
import { machineLines } from "./machine.ts";
import { acceptedMessages, type Memory, memoryOf } from "./memory.ts";
import { latenciesBehind } from "./otp.ts";
import { startPeer } from "./peer.ts";
import { median, megabytes, milliseconds, percentile, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { sizingTable } from "./sizing.ts";
import { kannelPassword, type LoadResult, load } from "./wrk.ts";

/** What the table compares, in front of a separate peer that reports every message as delivered. */
interface Contender {
  /** Sends messages until the customer has the report of the last delivery; messages a second. */
  cycle(messages: number): Promise<number>;
  accept(): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** At full scale: about three seconds. */
const cycledMessages = 20_000;
/** Unanswered submits allowed to both. */
const window = 500;
const campaign = 1_000_000;

/** With a webhook; accepting alone runs in its own process, so that nothing is left to send. */
async function startOurs({ connections, loadSeconds: seconds }: Scale): Promise<Contender> {
  const carrying = await startCycle(connections);
  const accepting = await startBenchServer({ routesDisabled: true });
  const sends = {
    url: accepting.peyk.url,
    apiKey: accepting.customer.apiKey,
    script: "send.lua",
    connections,
  } as const;
  return {
    cycle: carrying.work,
    accept: () => load({ ...sends, seconds }),
    async stop() {
      await Promise.all([carrying.stop(), accepting.stop()]);
    },
  };
}

/** So long without a report, nothing more is on its way. */
const quietMs = 2_000;

/**
 * Messages a second from the first request to the last report. Only those that it reported count: under load smsbox
 * drops some connections before it answers, about one in a hundred requests.
 */
async function reportedRate(receiver: CycleReceiver, send: () => Promise<unknown>): Promise<number> {
  const before = await receiver.delivered();
  const startedAt = performance.now();
  await send();
  let last = { reports: await receiver.delivered(), at: performance.now() };
  while (performance.now() - last.at < quietMs) {
    await Bun.sleep(5);
    const reports = await receiver.delivered();
    if (reports !== last.reports) last = { reports, at: performance.now() };
  }
  if (last.reports === before) throw new Error("Kannel reported no message");
  return ((last.reports - before) * 1_000) / (last.at - startedAt);
}

/** It stores nothing on disk, and calls a plain URL for each delivery. */
async function startTheirs({ connections, loadSeconds: seconds }: Scale) {
  const receiver = await startCycleReceiver(null);
  const peer = await startPeer();
  const kannel = await startKannel({
    smscPort: peer.port,
    username: "bench",
    password: kannelPassword,
    logLevel: 3,
    window,
  });
  const sends = { url: new URL(kannel.sendsmsUrl).origin, script: "sendsms.lua", connections } as const;
  const reported = `&dlr-mask=1&dlr-url=${encodeURIComponent(`http://127.0.0.1:${receiver.port}/`)}`;
  return {
    pids: kannel.pids,
    async cycle() {
      process.env.BENCH_QUERY = reported;
      const rate = await reportedRate(receiver, () => load({ ...sends, seconds }));
      delete process.env.BENCH_QUERY;
      return rate;
    },
    accept: () => load({ ...sends, seconds }),
    async stop() {
      await kannel.stop();
      peer.stop();
      receiver.stop();
    },
  };
}

interface Figures {
  cycles: number[];
  accepts: LoadResult[];
  residentMb: number | null;
}

/** In turn, so that a machine whose speed drifts slows both alike. */
async function measured(scale: Scale): Promise<{ ours: Figures; theirs: Figures }> {
  const peyk = await startOurs(scale);
  const kannel = isKannelInstalled() ? await startTheirs(scale) : null;
  const ours: Figures = { cycles: [], accepts: [], residentMb: null };
  const theirs: Figures = { cycles: [], accepts: [], residentMb: null };
  const messages = cycledMessages * scale.costShare;
  await peyk.cycle(messages);
  for (let round = 0; round < scale.rounds; round += 1) {
    ours.cycles.push(await peyk.cycle(messages));
    if (kannel !== null) theirs.cycles.push(await kannel.cycle());
  }
  for (let round = 0; round < scale.rounds; round += 1) {
    ours.accepts.push(await peyk.accept());
    if (kannel !== null) theirs.accepts.push(await kannel.accept());
  }
  if (kannel !== null) {
    const boxes = await Promise.all(kannel.pids.map((pid) => residentMb(pid)));
    theirs.residentMb = boxes.reduce((sum, box) => sum + box, 0);
  }
  await kannel?.stop();
  await peyk.stop();
  return { ours, theirs };
}

async function memories(scale: Scale): Promise<Memory[]> {
  const results: Memory[] = [];
  for (let round = 0; round < scale.rounds; round += 1) results.push(await memoryOf(peykCommand, scale));
  return results;
}

type Row = readonly [what: string, peyk: string, kannel: string];

const rate = (rates: readonly number[]) => (rates.length === 0 ? "–" : perSecond(median(rates)));

function times(results: readonly LoadResult[]): string {
  if (results.length === 0) return "–";
  const of = (figure: "p50" | "p99" | "max") => milliseconds(median(results.map((result) => result[figure])));
  return `${of("p50")} / ${of("p99")} / ${of("max")}`;
}

/** The table, in Markdown, with the machine above it. */
export async function recordText(scale: Scale, now: Date): Promise<string> {
  const machine = machineLines(now);
  const { ours, theirs } = await measured(scale);
  const passwords = await latenciesBehind(campaign * scale.costShare);
  const memory = await memories(scale);
  const mb = (figure: keyof Memory) => megabytes(median(memory.map((one) => one[figure])));
  const accepted = (acceptedMessages * scale.costShare).toLocaleString("en");
  const behind = (campaign * scale.costShare).toLocaleString("en");
  const rows: readonly Row[] = [
    [
      "full cycle: accepted, handed over by SMPP, receipt, callback (Peyk: three signed ones over HTTPS; Kannel: one over HTTP, only what it reported counts)",
      rate(ours.cycles),
      rate(theirs.cycles),
    ],
    [
      `accepted, ${scale.connections} connections`,
      rate(ours.accepts.map(({ perSecond: each }) => each)),
      rate(theirs.accepts.map(({ perSecond: each }) => each)),
    ],
    ["its p50 / p99 / max", times(ours.accepts), times(theirs.accepts)],
    [
      `a one-time password behind a campaign of ${behind}, until it is handed over, p99`,
      milliseconds(percentile(passwords, 0.99)),
      "–",
    ],
    ["memory, just started", mb("fresh"), "–"],
    [
      `memory, right after ${accepted} accepted messages`,
      mb("loaded"),
      theirs.residentMb === null ? "–" : megabytes(theirs.residentMb),
    ],
    ["memory, a minute after them", mb("atLongRest"), "–"],
    ["of that, pages of files, which the kernel can drop", mb("ofFiles"), "–"],
  ];
  const lines = [["what", "Peyk: every step on disk", "Kannel: nothing on disk"], ["---", "--:", "--:"], ...rows];
  const table = lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `${machine.join("  \n")}\n\n${table}\n\n${await sizingTable(peykCommand, scale)}`;
}
