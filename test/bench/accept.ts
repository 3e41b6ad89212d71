/** Accepting one message by one: the whole pipeline, durable, beside a bare Elysia endpoint and Kannel's sendsms. */
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { startFastSmsc } from "../support/fast-smsc.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import { startBare, startSubject } from "./subjects.ts";
import { load, type LoadResult } from "./wrk.ts";

const seconds = 5;
const rounds = 3;
const connections = 256;

/** In turn, so that a machine whose speed drifts wrongs nobody. */
async function inTurn(loads: readonly (() => Promise<LoadResult>)[]): Promise<LoadResult[][]> {
  const results: LoadResult[][] = loads.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, run] of loads.entries()) results[index]?.push(await run());
  }
  return results;
}

const rate = (results: readonly LoadResult[] = []) => median(results.map((result) => result.perSecond));
const ratio = (a: readonly LoadResult[] = [], b: readonly LoadResult[] = []) =>
  median(a.map((result, index) => result.perSecond / (b[index]?.perSecond ?? Number.NaN)));

export async function acceptRows(): Promise<Measure[]> {
  const subject = await startSubject({ routesDisabled: true });
  const bare = await startBare();
  const apiKey = subject.customer.apiKey;
  const script = "send.lua";
  const ours = () => load({ url: subject.peyk.url, script, seconds, connections, apiKey });
  const control = () => load({ url: bare.url, script, seconds, connections });
  await load({ url: subject.peyk.url, script, seconds: 2, connections, apiKey });
  const [peyk, elysia] = await inTurn([ours, control]);
  await subject.peyk.operate("POST", "/routes/simulator/enable");
  const [busy, idle] = await inTurn([ours, control]);
  const kannel = isKannelInstalled() ? await besideKannel(ours) : [];
  bare.stop();
  await subject.stop();
  const errors = [...(peyk ?? []), ...(busy ?? [])].reduce((sum, result) => sum + result.errors, 0);
  if (errors > 0) throw new Error(`${errors} requests were not answered with 202`);
  const share = ratio(peyk, elysia);
  return [
    {
      what: `accept, ${connections} connections, beside bare Elysia`,
      measured: perSecond(rate(peyk)),
      control: perSecond(rate(elysia)),
      ratio: share,
      bar: "0.60",
      met: share >= 0.6,
    },
    { what: "  its p99", measured: milliseconds(median((peyk ?? []).map(({ p99 }) => p99))) },
    {
      what: "  the same while the simulator carries it all",
      measured: perSecond(rate(busy)),
      control: perSecond(rate(idle)),
      ratio: ratio(busy, idle),
    },
    ...kannel,
  ];
}

/** Kannel keeps nothing on disk here; its bearerbox hands everything to a peer that answers at once. */
async function besideKannel(ours: () => Promise<LoadResult>): Promise<Measure[]> {
  const smsc = await startFastSmsc();
  const kannel = await startKannel({ smscPort: smsc.port, username: "bench", password: "bench" });
  const url = new URL(kannel.sendsmsUrl).origin;
  const [peyk, sendsms] = await inTurn([ours, () => load({ url, script: "sendsms.lua", seconds, connections })]);
  await kannel.stop();
  await smsc.stop();
  const times = ratio(peyk, sendsms);
  return [
    {
      what: "accept, beside Kannel's sendsms (not durable)",
      measured: perSecond(rate(peyk)),
      control: perSecond(rate(sendsms)),
      ratio: times,
      bar: "3.00",
      met: times >= 3,
    },
  ];
}
