/**
 * Customers by SMPP: durable submits at a window of 100 on ten binds, beside this service's own HTTP acceptance and a server of
 * Cloudhopper that stores nothing; what a flood of one credential does to another; and the whole chain, beside HTTP with a webhook.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildForeignSmscs, ForeignSmsc, missingTools } from "../support/foreign-smsc.ts";
import { freePort } from "../support/free-ports.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { alternate, assertAnswered, compared, comparedBy, p99Of, rateOf } from "./alternate.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { authority, startReceiver } from "./callbacks.ts";
import { measured, type Round, startPeykBefore } from "./e2e.ts";
import { startPeer } from "./peer.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const binds = 10;
const window = 100;
const here = import.meta.dir;

interface Bound {
  port: number;
  password: string;
  sender: string;
}

interface Shape {
  binds: number;
  window: number;
  seconds: number;
  receipts?: boolean;
}

interface Submitted extends LoadResult {
  /** Answered with ESME_ROK and an id. */
  accepted: number;
  receipts: number;
}

async function submits({ port, password, sender }: Bound, shape: Shape): Promise<Submitted> {
  const { binds, window, seconds, receipts = false } = shape;
  const argv = [port, "bench", password, sender, binds, window, seconds, ...(receipts ? ["receipts"] : [])].map(String);
  const child = Bun.spawn([process.execPath, join(here, "smpp-client.ts"), ...argv], { stdout: "pipe" });
  return JSON.parse(await new Response(child.stdout).text());
}

/** Throws unless exactly the accepted submits are messages on disk: an answer before its commit would flatter the rate. */
function assertStored({ peyk }: BenchServer, accepted: number): void {
  const sql = "SELECT count(*) AS stored FROM smpp_submit JOIN message ON message.id = smpp_submit.message_id";
  const [{ stored = 0 } = {}] = rowsIn<{ stored: number }>(peyk.folder, sql);
  if (stored !== accepted) throw new Error(`${accepted} submits were accepted, and ${stored} are stored`);
}

async function credentialOf({ peyk, customer }: BenchServer, port: number): Promise<Bound> {
  const made = { key: "key_1", kind: "smpp", name: "bench", traffic: "single", binds: 100, window: 1000 };
  const { password } = await peyk.operate("POST", "/credentials", made);
  return { port, password: String(password), sender: customer.sender };
}

const listening = (port: number) => ({ PEYK_SMPP_SERVER_LISTEN: `127.0.0.1:${port}` });

/** A customer that submits; `work` resolves with the number of submits that were accepted. */
export async function startSubmitting(command: readonly string[], seconds: number) {
  const port = await freePort();
  const server = await startBenchServer({ command, routesDisabled: true, env: listening(port) });
  const bound = await credentialOf(server, port);
  return {
    pids: [server.peyk.pid],
    stop: server.stop,
    work: async () => (await submits(bound, { binds, window, seconds })).accepted,
  };
}

export async function smppServerRows(scale: Scale): Promise<Measure[]> {
  return [...(await acceptRows(scale)), ...(await chainRows(scale))];
}

async function acceptRows(scale: Scale): Promise<Measure[]> {
  const { sampleSeconds: seconds, warmSeconds, samples, connections } = scale;
  const port = await freePort();
  const server = await startBenchServer({ routesDisabled: true, env: listening(port) });
  const bound = await credentialOf(server, port);
  const { apiKey } = server.customer;
  let accepted = 0;
  const counted = async (forSeconds: number) => {
    const result = await submits(bound, { binds, window, seconds: forSeconds });
    accepted += result.accepted;
    return result;
  };
  const ours = () => counted(seconds);
  const http = () => load({ url: server.peyk.url, script: "send.lua", seconds, connections, apiKey });
  await counted(warmSeconds);
  await load({ url: server.peyk.url, script: "send.lua", seconds: warmSeconds, connections, apiKey });
  const [smpp, api] = await alternate(samples, [ours, http]);
  assertAnswered(smpp, api);
  const beside = await besideCloudhopper(ours, bound, scale);
  assertStored(server, accepted);
  const flood = await underFlood(server, bound, scale);
  await server.stop();
  const times = comparedBy("perSecond", smpp, api);
  return [
    {
      what: `submit_sm, window ${window} on ${binds} binds, beside HTTP's accept`,
      measured: perSecond(rateOf(smpp)),
      control: perSecond(rateOf(api)),
      ...times,
      bar: "1.50",
      met: times.ratio >= 1.5,
    },
    { what: "  its p99", measured: milliseconds(p99Of(smpp)) },
    ...beside,
    ...flood,
  ];
}

async function besideCloudhopper(
  ours: () => Promise<LoadResult>,
  bound: Bound,
  { sampleSeconds: seconds, warmSeconds, samples }: Scale,
): Promise<Measure[]> {
  // Maven takes longer than a round of the smoke test.
  if (missingTools.length > 0 || seconds < 1) return [];
  const { folder, remove } = await buildForeignSmscs();
  const sink = await ForeignSmsc.start(folder, "CloudhopperSink");
  const theirs = { ...bound, port: sink.port };
  await submits(theirs, { binds, window, seconds: warmSeconds });
  const [smpp, cloudhopper] = await alternate(samples, [ours, () => submits(theirs, { binds, window, seconds })]);
  await sink.stop();
  remove();
  assertAnswered(smpp, cloudhopper);
  return [
    {
      what: "  beside Cloudhopper's server, which stores nothing",
      measured: perSecond(rateOf(smpp)),
      control: perSecond(rateOf(cloudhopper)),
      ...comparedBy("perSecond", smpp, cloudhopper),
    },
  ];
}

/** Far beyond its window and rate, over ten binds, for as long as `during` takes. */
async function flooding<Result>(port: number, password: string, seconds: number, during: () => Promise<Result>) {
  const argv = [port, "more than the window", (seconds + 1) * 1_000, password].map(String);
  const program = join(here, "../support/hostile-customers.ts");
  const attack = Bun.spawn([process.execPath, program, ...argv], { stdout: "ignore" });
  await Bun.sleep(500);
  const result = await during();
  await attack.exited;
  return result;
}

async function floodPassword({ peyk }: BenchServer): Promise<string> {
  const flood = { key: "key_1", kind: "smpp", name: "flood", traffic: "single", binds: 10, window: 1, rate: 50 };
  return String((await peyk.operate("POST", "/credentials", flood)).password);
}

/**
 * A customer that sends one at a time, while another one floods. The control floods another Peyk: what it moves is moved by
 * the programs that share the machine, which has two processors.
 */
async function underFlood(server: BenchServer, bound: Bound, scale: Scale): Promise<Measure[]> {
  const { sampleSeconds: seconds, samples } = scale;
  const otherPort = await freePort();
  const other = await startBenchServer({ routesDisabled: true, env: listening(otherPort) });
  const [password, otherPassword] = [await floodPassword(server), await floodPassword(other)];
  const alone = () => submits(bound, { binds: 1, window: 1, seconds });
  const flooded = () => flooding(bound.port, password, seconds, alone);
  const elsewhere = () => flooding(otherPort, otherPassword, seconds, alone);
  const [quiet, beside, control] = await alternate(samples, [alone, flooded, elsewhere]);
  await other.stop();
  assertAnswered(quiet, beside, control);
  const moved = comparedBy("p99", beside, quiet);
  return [
    {
      what: "p99 of one credential while another floods, beside itself alone",
      measured: milliseconds(p99Of(beside)),
      control: milliseconds(p99Of(quiet)),
      ...moved,
      bar: "under 1.10",
      met: moved.ratio < 1.1,
    },
    {
      what: "  beside itself while the same flood is at another Peyk",
      measured: milliseconds(p99Of(beside)),
      control: milliseconds(p99Of(control)),
      ...comparedBy("p99", beside, control),
    },
  ];
}

const chainRate = (rounds: readonly Round[]) => median(rounds.map((round) => round.perSecond));

/** Accepted, submitted, reported, and delivered to the customer: by receipts over SMPP, by callbacks over HTTP. */
async function chainRows({ sampleSeconds: seconds, warmSeconds, samples, connections }: Scale): Promise<Measure[]> {
  const peer = await startPeer();
  const port = await freePort();
  const bySmpp = await startPeykBefore(peer, { env: listening(port) });
  const bound = await credentialOf(bySmpp, port);
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), "peyk-bench-"));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.cert);
  const destination = `127.0.0.1:${receiver.port}`;
  const env = { PEYK_WEBHOOKS_TRUSTED_DESTINATIONS: destination, PEYK_WEBHOOKS_CA_FILE: caFile };
  const byHttp = await startPeykBefore(peer, { env });
  const { peyk, customer } = byHttp;
  const webhook = await fetch(`${peyk.url}/v1/webhooks`, {
    method: "POST",
    headers: { "X-API-Key": customer.apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ url: `https://${destination}/`, events: ["message.status"] }),
  });
  if (webhook.status !== 201) throw new Error(`The webhook was refused: ${await webhook.text()}`);
  const smpp = (forSeconds: number) => () => submits(bound, { binds, window, seconds: forSeconds, receipts: true });
  const http = (forSeconds: number) => () =>
    load({ url: peyk.url, script: "send.lua", seconds: forSeconds, connections, apiKey: customer.apiKey });
  await measured(peer, [], smpp(warmSeconds));
  await measured(peer, [], http(warmSeconds));
  const ours: Round[] = [];
  const control: Round[] = [];
  for (let round = 0; round < samples; round += 1) {
    ours.push(await measured(peer, [bySmpp.peyk.pid], smpp(seconds)));
    control.push(await measured(peer, [peyk.pid], http(seconds)));
  }
  await bySmpp.stop();
  await byHttp.stop();
  receiver.stop();
  peer.stop();
  rmSync(folder, { recursive: true });
  const rates = (all: readonly Round[]) => all.map((one) => one.perSecond);
  const share = compared(rates(ours), rates(control));
  return [
    {
      what: "customer's SMPP → carrier → receipt → customer, beside HTTP with a webhook",
      measured: perSecond(chainRate(ours)),
      control: perSecond(chainRate(control)),
      ...share,
      bar: "0.80",
      met: share.ratio >= 0.8,
    },
  ];
}
