/** What a request costs in processor time, beside another build of Peyk (or a bare Elysia endpoint): small effects, on a noisy machine. */
import { batchSize, sendBatches } from "./batch.ts";
import { type BenchServer, startBare, startBenchServer } from "./bench-server.ts";
import { startPeykBefore } from "./e2e.ts";
import { type Peer, startPeer } from "./peer.ts";
import { cpuMicrosAtRest } from "./process-cpu.ts";
import { type Measure, median, medianInterval, microseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { loadCounted, type Script } from "./wrk.ts";

/** A running server that is given the same work again and again. */
interface Contender {
  pid: number;
  /** Sends so many messages, and resolves with messages a second when each is accepted and carried as far as the row says. */
  work(messages: number): Promise<number>;
  stop(): Promise<void> | void;
}

type Command = readonly string[];
type Start = (command: Command, connections: number) => Promise<Contender>;

interface CostRow {
  what: string;
  /** A full-scale round's messages, about a second of processor time. */
  messages: number;
  start: Start;
  /** Stands in place of the other build. */
  control?: Start;
}

/** Accepting alone: the only route is off, so messages stay queued, and no round leaves work behind for the next. */
function accepting(script: Script): Start {
  return async (command, connections) => {
    const { peyk, customer, stop } = await startBenchServer({ command, routesDisabled: true });
    const posts = { url: peyk.url, script, connections, apiKey: customer.apiKey };
    return { pid: peyk.pid, stop, work: (requests) => loadCounted({ ...posts, requests }) };
  };
}

async function acceptingBatches(command: Command): Promise<Contender> {
  const server = await startBenchServer({ command, routesDisabled: true });
  const work = (messages: number) => sendBatches(server, (begun) => begun * batchSize < messages);
  return { pid: server.peyk.pid, stop: server.stop, work };
}

/** Until the peer has the acknowledgement of each receipt, which Peyk sends when `delivered` is on disk. */
async function carried(peer: Peer, receipts: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await peer.counts()).receipts < receipts) {
    if (performance.now() > deadline) throw new Error("Not every message came to its receipt");
    await Bun.sleep(5);
  }
}

async function endToEnd(command: Command, connections: number): Promise<Contender> {
  const peer = await startPeer();
  const { peyk, customer, stop }: BenchServer = await startPeykBefore(peer, { command });
  const posts = { url: peyk.url, script: "send.lua" as const, connections, apiKey: customer.apiKey };
  return {
    pid: peyk.pid,
    async work(requests) {
      const { receipts } = await peer.counts();
      const startedAt = performance.now();
      await loadCounted({ ...posts, requests });
      await carried(peer, receipts + requests);
      return (requests * 1_000) / (performance.now() - startedAt);
    },
    async stop() {
      await stop();
      peer.stop();
    },
  };
}

async function bareElysia(_: Command, connections: number): Promise<Contender> {
  const { pid, url, stop } = await startBare();
  return { pid, stop, work: (requests) => loadCounted({ url, script: "send.lua", requests, connections }) };
}

export const costRowNames = ["accept", "batch", "e2e", "otp", "bare"] as const;
export type CostRowName = (typeof costRowNames)[number];

const costRowsByName: Readonly<Record<CostRowName, CostRow>> = {
  accept: { what: "accept", messages: 30_000, start: accepting("send.lua") },
  batch: { what: `batches of ${batchSize}`, messages: 100_000, start: acceptingBatches },
  e2e: { what: "accept → submit → receipt → delivered", messages: 12_000, start: endToEnd },
  otp: { what: "a one-time password accepted", messages: 20_000, start: accepting("otp.lua") },
  bare: { what: "accept, beside bare Elysia", messages: 30_000, start: accepting("send.lua"), control: bareElysia },
};

interface Round {
  cpuMicros: number;
  perSecond: number;
}

/**
 * The processor time is read when the process is at rest again: messages are carried, and the collections, merges and
 * checkpoints that a round leaves to do are over and counted to it.
 */
async function round({ pid, work }: Contender, messages: number): Promise<Round> {
  const before = await cpuMicrosAtRest(pid);
  const rate = await work(messages);
  return { perSecond: rate, cpuMicros: ((await cpuMicrosAtRest(pid)) - before) / messages };
}

/** The compilers of the engine are done after these. */
const warmRounds = 2;

/** Rounds in the order ABBA …, so that neither always comes first, and a drifting machine slows both alike. */
async function pairedRounds(contenders: readonly [Contender, Contender], messages: number, rounds: number) {
  const results: [Round[], Round[]] = [[], []];
  for (let count = -warmRounds; count < rounds; count += 1) {
    const order = count % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const index of order) {
      const result = await round(contenders[index], messages);
      if (count >= 0) results[index].push(result);
    }
  }
  return results;
}

export interface CostOptions {
  /** Commands that run Peyk. Without another build it stands beside itself: the interval is then what this machine can tell. */
  newer: Command;
  older?: Command;
  rounds: number;
  /** All of them when left out. */
  rows?: readonly CostRowName[];
}

async function measured(row: CostRow, scale: Scale, { newer, older = newer, rounds }: CostOptions): Promise<Measure[]> {
  const messages = Math.ceil(row.messages * scale.costShare);
  const ours = await row.start(newer, scale.connections);
  const other = await (row.control ?? row.start)(older, scale.connections);
  const [theirs, own] = await pairedRounds([other, ours], messages, rounds).finally(() =>
    Promise.all([ours.stop(), other.stop()]),
  );
  const medianOf = (results: readonly Round[], key: keyof Round) => median(results.map((result) => result[key]));
  const ratiosOf = (key: keyof Round) => own.map((result, index) => result[key] / (theirs[index]?.[key] ?? Number.NaN));
  const line = (what: string, key: keyof Round, unit: (value: number) => string): Measure => ({
    what,
    measured: unit(medianOf(own, key)),
    control: unit(medianOf(theirs, key)),
    ratio: median(ratiosOf(key)),
    interval: medianInterval(ratiosOf(key)),
  });
  return [
    line(`${row.what}: processor time of a message, ${rounds} rounds of ${messages}`, "cpuMicros", microseconds),
    line("  messages", "perSecond", perSecond),
  ];
}

export async function costRows(scale: Scale, options: CostOptions): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const name of options.rows ?? costRowNames)
    measures.push(...(await measured(costRowsByName[name], scale, options)));
  return measures;
}
