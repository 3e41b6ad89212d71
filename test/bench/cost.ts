/** Processor time of a message, beside another build of Peyk or a bare Elysia endpoint, so that a small difference shows on a noisy machine. */
import { customerOn, makeClusterOn } from "../support/cluster.ts";
import { diligentSettings, startPostgres } from "../support/postgres.ts";
import { batchSize, sendBatches } from "./batch.ts";
import { type BenchServer, startBare, startBenchServer } from "./bench-server.ts";
import { startCycle } from "./cycle.ts";
import { dropInListening, sendsmsUrl } from "./drop-in.ts";
import { startPeykBefore } from "./e2e.ts";
import { type Peer, startPeer } from "./peer.ts";
import { cpuMicrosAtRest, cpuMicrosOf } from "./process-cpu.ts";
import { type Measure, median, medianInterval, microseconds, perSecond } from "./report.ts";
import { charge, everyRule, plan, ported, type UseRules } from "./rules-in-use.ts";
import type { Scale } from "./scale.ts";
import { loadCounted, type Script } from "./wrk.ts";

/** A running server that does the same work again and again. */
export interface Contender {
  /** The processes whose time counts. */
  pids: readonly number[];
  /** Sends this many messages; resolves with messages a second once each is accepted and has come as far as the row says. */
  work(messages: number): Promise<number>;
  stop(): Promise<void> | void;
}

/** What customers connect to besides the API; off unless configured. */
export const customerListeners = { PEYK_SMPP_SERVER_LISTEN: "127.0.0.1:0", PEYK_DROP_IN_LISTEN: "127.0.0.1:0" };

type Command = readonly string[];
type Start = (command: Command, scale: Scale) => Promise<Contender>;

interface CostRow {
  what: string;
  /** For each of the two in a full-scale round: about one second of processor time. */
  messages: number;
  start: Start;
  /** Replaces the other build. */
  control?: Start;
}

/** Accepting alone: the only route is disabled, so messages stay queued, and no round leaves work behind for the next. */
function accepting(script: Script, prepare?: UseRules, env: Readonly<Record<string, string>> = {}): Start {
  return async (command, { connections, suppressed }) => {
    const { peyk, customer, stop } = await startBenchServer({ command, routesDisabled: true, env });
    await prepare?.(peyk, { route: "simulator", suppressed });
    const posts = { url: peyk.url, script, connections, apiKey: customer.apiKey };
    return { pids: [peyk.pid], stop, work: (requests) => loadCounted({ ...posts, requests }) };
  };
}

/** As `accepting`, sent by a Kannel client. */
async function acceptingSendsms(command: Command, { connections }: Scale): Promise<Contender> {
  const { peyk, stop } = await startBenchServer({ command, routesDisabled: true, env: dropInListening });
  const url = await sendsmsUrl(peyk);
  return {
    pids: [peyk.pid],
    stop,
    work: (requests) => loadCounted({ url, script: "sendsms.lua", requests, connections }),
  };
}

/** Of a route that is told of texts, and never sends. */
const inboundRoute = {
  request: { url: "http://127.0.0.1:9/" },
  answer: { accepted: { status: 200 } },
  inbound: { sender: "from", receiver: "to", text: "text", id: "id" },
  callbackUrl: "https://sms.example.com/callbacks/texts",
  callbackSecret: "secret-of-the-bench",
};

/** Texts from phones to a line, each on disk when it is answered. */
function receiving(prepare?: (peyk: BenchServer["peyk"]) => Promise<unknown>): Start {
  return async (command, { connections }) => {
    const { peyk, customer, stop } = await startBenchServer({ command });
    await peyk.operate("POST", "/lines", { number: customer.sender, account: customer.accountId });
    await peyk.operate("POST", "/routes", { name: "texts", kind: "http", options: inboundRoute });
    await prepare?.(peyk);
    const url = `${peyk.url}/callbacks/texts/${inboundRoute.callbackSecret}/inbound`;
    return {
      pids: [peyk.pid],
      stop,
      work: (requests) => loadCounted({ url, script: "inbound.lua", requests, connections }),
    };
  };
}

const ruleThatTakesNone = (peyk: BenchServer["peyk"]) =>
  peyk.operate("POST", "/lines/30001234/rules", { words: ["nobody"], reply: "Nobody writes this." });

async function acceptingBatches(command: Command): Promise<Contender> {
  const server = await startBenchServer({ command, routesDisabled: true });
  const work = (messages: number) => sendBatches(server, (begun) => begun * batchSize < messages);
  return { pids: [server.peyk.pid], stop: server.stop, work };
}

/** Until the peer has an acknowledgement for each receipt, which Peyk sends once `delivered` is on disk. */
async function carried(peer: Peer, receipts: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await peer.counts()).receipts < receipts) {
    if (performance.now() > deadline) throw new Error("Not every message came to its receipt");
    await Bun.sleep(5);
  }
}

function endToEnd(prepare?: UseRules): Start {
  return async (command, { connections, suppressed }) => {
    const peer = await startPeer();
    const { peyk, customer, stop }: BenchServer = await startPeykBefore(peer, { command });
    await prepare?.(peyk, { route: "peer", suppressed });
    const posts = { url: peyk.url, script: "send.lua" as const, connections, apiKey: customer.apiKey };
    return {
      pids: [peyk.pid],
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
  };
}

const cycling: Start = (command, { connections }) => startCycle(connections, command);

/** The leader of a cluster, with PostgreSQL and its standby; no node follows. */
async function acceptingInCluster(command: Command, { connections }: Scale): Promise<Contender> {
  const pair = await startPostgres({ lines: diligentSettings });
  const cluster = await makeClusterOn(pair, { command, isDirect: true });
  const stop = async () => {
    await cluster.remove();
    await pair.remove();
  };
  try {
    const [leader] = cluster.nodes;
    if (leader === undefined) throw new Error("A cluster has nodes");
    leader.start();
    if (!(await leader.leads())) throw new Error(`The node never led: ${leader.log}`);
    const { apiKey } = await customerOn(leader);
    await leader.operate("POST", "/routes/simulator/disable");
    const pids = [leader.pid, ...pair.primary.pids(), ...pair.standby.pids()];
    const posts = { url: leader.url, script: "send.lua" as const, connections, apiKey };
    return { pids, stop, work: (requests) => loadCounted({ ...posts, requests }) };
  } catch (reason) {
    await stop();
    throw reason;
  }
}

async function bareElysia(_: Command, { connections }: Scale): Promise<Contender> {
  const { pid, url, stop } = await startBare();
  return { pids: [pid], stop, work: (requests) => loadCounted({ url, script: "send.lua", requests, connections }) };
}

export const costRowNames = [
  "accept",
  "batch",
  "e2e",
  "cycle",
  "otp",
  "inbound",
  "inbound-rule",
  "charged",
  "planned",
  "ported",
  "rules",
  "rules-e2e",
  "rules-otp",
  "listeners",
  "sendsms",
  "bare",
  "cluster",
] as const;
export type CostRowName = (typeof costRowNames)[number];

const costRowsByName: Readonly<Record<CostRowName, CostRow>> = {
  accept: { what: "accept", messages: 30_000, start: accepting("send.lua") },
  batch: { what: `batches of ${batchSize}`, messages: 100_000, start: acceptingBatches },
  e2e: { what: "accept → submit → receipt → delivered", messages: 12_000, start: endToEnd() },
  cycle: { what: "accept → delivered, each step told to a webhook", messages: 4_000, start: cycling },
  otp: { what: "a one-time password accepted", messages: 20_000, start: accepting("otp.lua") },
  inbound: { what: "a text from a phone to a line without rules", messages: 20_000, start: receiving() },
  "inbound-rule": {
    what: "a text from a phone that the line's rule does not take, beside no rule",
    messages: 20_000,
    start: receiving(ruleThatTakesNone),
    control: receiving(),
  },
  charged: {
    what: "accept with prices, a balance and quotas, beside accept without",
    messages: 30_000,
    start: accepting("send.lua", charge),
    control: accepting("send.lua"),
  },
  planned: {
    what: "accept by a routing plan, beside none",
    messages: 30_000,
    start: accepting("send.lua", plan),
    control: accepting("send.lua"),
  },
  ported: {
    what: "accept with a table of ported numbers, beside none",
    messages: 30_000,
    start: accepting("send.lua", ported),
    control: accepting("send.lua"),
  },
  rules: {
    what: "accept with every rule in use, beside none",
    messages: 30_000,
    start: accepting("send.lua", everyRule),
    control: accepting("send.lua"),
  },
  "rules-e2e": {
    what: "accept → delivered with every rule in use, beside none",
    messages: 12_000,
    start: endToEnd(everyRule),
    control: endToEnd(),
  },
  "rules-otp": {
    what: "a one-time password accepted with every rule in use, beside none",
    messages: 20_000,
    start: accepting("otp.lua", everyRule),
    control: accepting("otp.lua"),
  },
  listeners: {
    what: "accept with the SMPP server and the drop-in listener open, beside neither",
    messages: 30_000,
    start: accepting("send.lua", undefined, customerListeners),
    control: accepting("send.lua"),
  },
  sendsms: {
    what: "sendsms accepted, beside the API's accept",
    messages: 30_000,
    start: acceptingSendsms,
    control: accepting("send.lua"),
  },
  bare: { what: "accept, beside bare Elysia", messages: 30_000, start: accepting("send.lua"), control: bareElysia },
  cluster: { what: "accept in a cluster, PostgreSQL included", messages: 30_000, start: acceptingInCluster },
};

/** Starts what a row measures. */
export const startRow = (name: CostRowName, command: Command, scale: Scale): Promise<Contender> =>
  costRowsByName[name].start(command, scale);

interface Cost {
  cpuMicros: number;
  perSecond: number;
}

/**
 * The processor time is read once the process is at rest: messages are final, and the garbage collections, merges and
 * checkpoints that follow the work are over and included.
 */
export async function costOf({ pids, work }: Contender, messages: number): Promise<Cost> {
  const before = cpuMicrosOf(pids);
  const rate = await work(messages);
  return { perSecond: rate, cpuMicros: ((await cpuMicrosAtRest(pids)) - before) / messages };
}

const meanOf = (costs: readonly Cost[]): Cost => ({
  cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0) / costs.length,
  perSecond: costs.reduce((sum, { perSecond }) => sum + perSecond, 0) / costs.length,
});

const orders = [
  [0, 1, 1, 0],
  [1, 0, 0, 1],
] as const;

type Pair = readonly [Contender, Contender];

/** Each of the two sends half of its messages at a time, ABBA or BAAB: drift within a round cancels out. */
async function roundOf(pair: Pair, messages: number, count: number): Promise<[Cost, Cost]> {
  const costs: [Cost[], Cost[]] = [[], []];
  for (const index of orders[count % 2 === 0 ? 0 : 1]) {
    costs[index].push(await costOf(pair[index], Math.ceil(messages / 2)));
  }
  return [meanOf(costs[0]), meanOf(costs[1])];
}

/** Two processes of the same build differ by 2 % (what the engine compiled, where memory lies), so a pair lives only this long. */
const roundsPerStart = 5;

export interface CostOptions {
  /** Commands that run Peyk. Without another build it is compared with itself: the interval then shows what this machine can resolve. */
  newer: Command;
  older?: Command;
  rounds: number;
  /** Omit for all of them. */
  rows?: readonly CostRowName[];
}

async function pairedRounds(row: CostRow, scale: Scale, rounds: number, { newer, older = newer }: CostOptions) {
  const messages = row.messages * scale.costShare;
  const own = await row.start(newer, scale);
  const other = await (row.control ?? row.start)(older, scale);
  const results: [own: Cost, other: Cost][] = [];
  try {
    // Until the engine has compiled the hot path.
    await roundOf([own, other], messages, 0);
    for (let count = 0; count < rounds; count += 1) results.push(await roundOf([own, other], messages, count));
  } finally {
    await own.stop();
    await other.stop();
  }
  return results;
}

async function measured(row: CostRow, scale: Scale, options: CostOptions): Promise<Measure[]> {
  const results: Awaited<ReturnType<typeof pairedRounds>> = [];
  while (results.length < options.rounds) {
    const rounds = Math.min(options.rounds - results.length, roundsPerStart);
    results.push(...(await pairedRounds(row, scale, rounds, options)));
  }
  const line = (what: string, key: keyof Cost, unit: (value: number) => string): Measure => {
    const ratios = results.map(([own, other]) => own[key] / other[key]);
    return {
      what,
      measured: unit(median(results.map(([own]) => own[key]))),
      control: unit(median(results.map(([, other]) => other[key]))),
      ratio: median(ratios),
      interval: medianInterval(ratios),
    };
  };
  return [
    line(`${row.what}: processor time of a message`, "cpuMicros", microseconds),
    line("  messages", "perSecond", perSecond),
  ];
}

export async function costRows(scale: Scale, options: CostOptions): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const name of options.rows ?? costRowNames) {
    measures.push(...(await measured(costRowsByName[name], scale, options)));
  }
  return measures;
}
