/** A million scheduled messages that become due, and a million behind a disabled route: lateness, memory, and the effect on others. */

import type { MessageRow } from "../../src/store/messages.ts";
import { openStore, type Tables } from "../../src/store/store.ts";
import type { Customer, PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { residentMb, startBenchServer } from "./bench-server.ts";
import { fillWaiting, originOf } from "./filler.ts";
import { type Measure, milliseconds, percentile } from "./report.ts";
import type { Scale } from "./scale.ts";

const latenessMsMax = 1_000;
const residentMbMax = 250;
/** How often the other account sends, one message at a time. */
const singlesEveryMs = 20;
const residentEveryMs = 100;
/** From the start of the process until the first message becomes due. */
const settleMs = 2_000;

const scheduledSender = "30001234";
const heldSender = "30005678";
const otherSender = "30009999";

interface Backlog {
  folder: ReturnType<typeof temporaryFolder>;
  other: Customer;
  firstScheduledId: number;
  firstDueAt: number;
}

/** Three customers; the second one's messages have only a disabled route. */
async function prepare(folder: string): Promise<Customer> {
  const { peyk, stop } = await startBenchServer({ folder });
  const held = await peyk.customer(heldSender);
  await peyk.operate("POST", "/routes", { name: "down", kind: "simulator" });
  await peyk.operate("POST", "/routes/down/disable");
  await peyk.operate("PATCH", `/accounts/${held.accountId}/senders/${heldSender}`, { routes: ["down"] });
  const other = await peyk.customer(otherSender);
  await stop();
  return other;
}

async function fill({ waiting, duePerSecond }: Scale): Promise<Backlog> {
  const folder = temporaryFolder();
  const other = await prepare(folder.path);
  const startedAt = performance.now();
  await fillWaiting(folder.path, originOf(folder.path, heldSender), waiting, () => null);
  const tookMs = performance.now() - startedAt;
  // The second million takes about as long as the first, and must be there before its first message is due.
  const firstDueAt = Date.now() + 1.5 * tookMs + settleMs + 1_000;
  const dueAt = (index: number) => Math.floor(firstDueAt + (index * 1_000) / duePerSecond);
  const firstScheduledId = await fillWaiting(folder.path, originOf(folder.path, scheduledSender), waiting, dueAt);
  return { folder, other, firstScheduledId, firstDueAt };
}

/** Sends one message at a time until `endsAt`; returns each answer's time and tracking code. */
async function sendSingles(peyk: PeykProcess, other: Customer, endsAt: number) {
  const answersMs: number[] = [];
  const codes: string[] = [];
  while (Date.now() < endsAt) {
    const startedAt = performance.now();
    const { status, body } = await peyk.send(other);
    if (status !== 202 || body.trackingCode === undefined) throw new Error(`A single message was answered ${status}`);
    answersMs.push(performance.now() - startedAt);
    codes.push(body.trackingCode);
    await Bun.sleep(singlesEveryMs);
  }
  return { answersMs, codes };
}

/** The highest resident memory until `endsAt`, in MB. */
async function peakResidentMb(pid: number, endsAt: number): Promise<number> {
  let peak = 0;
  while (Date.now() < endsAt) {
    peak = Math.max(peak, await residentMb(pid));
    await Bun.sleep(residentEveryMs);
  }
  return peak;
}

/** Milliseconds from the time a message was due to its hand-over, or to `endsAt` if it was not handed over by then. */
function latenessMs({ dueAt, sendAt, submittedAt, processingAt }: MessageRow, endsAt: number): number {
  if (processingAt === null && dueAt === null) throw new Error("A message neither waits nor went");
  return (processingAt ?? endsAt) - (sendAt ?? submittedAt);
}

function* dueBefore(tables: Tables, firstId: number, endsAt: number): Generator<MessageRow> {
  for (let id = firstId; ; id += 1) {
    const row = tables.messages.byId(id);
    if (row === null || (row.sendAt ?? endsAt) >= endsAt) return;
    yield row;
  }
}

interface Watched {
  lateness: number[];
  handedOver: number[];
  answersMs: number[];
  residentMb: number;
}

async function watch({ folder, other, firstScheduledId, firstDueAt }: Backlog, seconds: number): Promise<Watched> {
  await Bun.sleep(Math.max(firstDueAt - settleMs - Date.now(), 0));
  const { peyk, stop } = await startBenchServer({ folder: folder.path });
  await Bun.sleep(Math.max(firstDueAt - Date.now(), 0));
  const endsAt = Date.now() + seconds * 1_000;
  const [singles, resident] = await Promise.all([sendSingles(peyk, other, endsAt), peakResidentMb(peyk.pid, endsAt)]);
  const stoppedAt = Date.now();
  await stop();
  const store = openStore({ folder: folder.path, now: stoppedAt });
  const rows = [...dueBefore(store.tables, firstScheduledId, endsAt)];
  const own = singles.codes.map((code) => store.tables.messages.byCodeAnywhere(code)).filter((row) => row !== null);
  store.close();
  return {
    lateness: rows.map((row) => latenessMs(row, stoppedAt)),
    handedOver: own.map((row) => latenessMs(row, stoppedAt)),
    answersMs: singles.answersMs,
    residentMb: resident,
  };
}

export async function backlogRows(scale: Scale): Promise<Measure[]> {
  const backlog = await fill(scale);
  const { lateness, handedOver, answersMs, residentMb } = await watch(backlog, scale.watchSeconds);
  backlog.folder.remove();
  const waiting = scale.waiting.toLocaleString("en");
  const p99 = percentile(lateness, 0.99);
  return [
    {
      what: `${waiting} scheduled and ${waiting} behind a route that is off: lateness, p99 of ${lateness.length}`,
      measured: milliseconds(p99),
      bar: `under ${milliseconds(latenessMsMax)}`,
      met: p99 < latenessMsMax,
    },
    {
      what: "  resident memory, at most",
      measured: `${residentMb.toFixed(0)} MB`,
      bar: `under ${residentMbMax} MB`,
      met: residentMb < residentMbMax,
    },
    {
      what: `  another account's single messages, p99 of ${answersMs.length}: answered`,
      measured: milliseconds(percentile(answersMs, 0.99)),
    },
    { what: "  and handed over after", measured: milliseconds(percentile(handedOver, 0.99)) },
  ];
}
