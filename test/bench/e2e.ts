/** A message from end to end: accepted, submitted over SMPP, reported and delivered; beside Kannel with the same peer. */
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { type BenchServer, type BenchServerOptions, startBenchServer } from "./bench-server.ts";
import { ceilingOf, type Peer, startPeer } from "./peer.ts";
import { cpuMicrosOf } from "./process-cpu.ts";
import { type Measure, median, microseconds, perSecond } from "./report.ts";
import { kannelPassword, load } from "./wrk.ts";

const seconds = 4;
const rounds = 3;
const connections = 256;
/** Unanswered submits allowed to both. */
const window = 500;

/** The result of one round: messages from acceptance to acknowledged receipt. */
export interface Round {
  perSecond: number;
  messages: number;
  /** User and system time of the server's processes, in microseconds a message. */
  cpuMicros: number;
}

/** Waits until nothing more arrives; returns when the last receipt was acknowledged. */
async function drained(peer: Peer): Promise<{ receipts: number; at: number }> {
  const quietMs = 700;
  let last = { receipts: -1, at: 0 };
  for (;;) {
    const { receipts } = await peer.counts();
    const now = performance.now();
    if (receipts !== last.receipts) last = { receipts, at: now };
    else if (now - last.at > quietMs) return last;
    await Bun.sleep(10);
  }
}

export async function measured(
  peer: Peer,
  pids: readonly number[],
  send: () => Promise<{ errors: number }>,
): Promise<Round> {
  const before = await peer.counts();
  const cpuBefore = cpuMicrosOf(pids);
  const startedAt = performance.now();
  const { errors } = await send();
  if (errors > 0) throw new Error(`${errors} requests were not accepted`);
  const end = await drained(peer);
  const messages = end.receipts - before.receipts;
  return {
    messages,
    perSecond: (messages * 1_000) / (end.at - startedAt),
    cpuMicros: (cpuMicrosOf(pids) - cpuBefore) / messages,
  };
}

/** Peyk with the peer as its customer's only route. */
export async function startPeykBefore(peer: Peer, options: BenchServerOptions = {}): Promise<BenchServer> {
  const server = await startBenchServer(options);
  const { peyk, customer } = server;
  const link = { host: "127.0.0.1", port: peer.port, systemId: "peyk", password: "bench", window };
  await peyk.operate("POST", "/routes", { name: "peer", kind: "smpp", options: link });
  const sender = `/accounts/${customer.accountId}/senders/${customer.sender}`;
  await peyk.operate("PATCH", sender, { routes: ["peer"] });
  return server;
}

async function startItsKannel(peer: Peer) {
  const kannel = await startKannel({
    smscPort: peer.port,
    username: "bench",
    password: kannelPassword,
    logLevel: 3,
    window,
  });
  // Without a URL to call, Kannel stores, finds and then drops the receipt: the least that it can do.
  process.env.BENCH_QUERY = "&dlr-mask=3";
  const url = new URL(kannel.sendsmsUrl).origin;
  const send = (forSeconds: number) => load({ url, script: "sendsms.lua", seconds: forSeconds, connections });
  return { ...kannel, send };
}

const rateOf = (results: readonly Round[]) => median(results.map((round) => round.perSecond));
const cpuOf = (results: readonly Round[]) => median(results.map((round) => round.cpuMicros));

export async function endToEndRows(): Promise<Measure[]> {
  const peer = await startPeer();
  const ceiling = await ceilingOf(peer, 2, window);
  const server = await startPeykBefore(peer);
  const { peyk, customer } = server;
  const send = (forSeconds: number) =>
    load({ url: peyk.url, script: "send.lua", seconds: forSeconds, connections, apiKey: customer.apiKey });
  const kannel = isKannelInstalled() ? await startItsKannel(peer) : null;
  const ours: Round[] = [];
  const theirs: Round[] = [];
  await measured(peer, [], () => send(2));
  // Alternately, so that a machine whose speed drifts slows both alike.
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measured(peer, [peyk.pid], () => send(seconds)));
    if (kannel !== null) theirs.push(await measured(peer, kannel.pids, () => kannel.send(seconds)));
  }
  delete process.env.BENCH_QUERY;
  await kannel?.stop();
  await server.stop();
  peer.stop();
  const times = median(ours.map((round, index) => round.perSecond / (theirs[index]?.perSecond ?? Number.NaN)));
  return [
    {
      what: "accept → submit → receipt → delivered, beside Kannel (not durable)",
      measured: perSecond(rateOf(ours)),
      ...(kannel === null ? {} : { control: perSecond(rateOf(theirs)), ratio: times, bar: "1.50", met: times >= 1.5 }),
    },
    {
      what: "  processor time of a message",
      measured: microseconds(cpuOf(ours)),
      ...(kannel === null ? {} : { control: microseconds(cpuOf(theirs)) }),
    },
    { what: "  the peer's own ceiling", measured: perSecond(ceiling) },
  ];
}
