/** Accepting one message by one: the whole pipeline, durable, beside a bare Elysia endpoint and Kannel's sendsms. */

import { startFastSmsc } from "../support/fast-smsc.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { alternate, assertAnswered, p99Of, rateOf, ratioOf } from "./alternate.ts";
import { startBare, startBenchServer } from "./bench-server.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { kannelPassword, type LoadResult, load } from "./wrk.ts";

export async function acceptRows(scale: Scale): Promise<Measure[]> {
  const { loadSeconds: seconds, warmSeconds, rounds, connections } = scale;
  const server = await startBenchServer({ routesDisabled: true });
  const bare = await startBare();
  const apiKey = server.customer.apiKey;
  const script = "send.lua";
  const ours = () => load({ url: server.peyk.url, script, seconds, connections, apiKey });
  const control = () => load({ url: bare.url, script, seconds, connections });
  await load({ url: server.peyk.url, script, seconds: warmSeconds, connections, apiKey });
  const [peyk, elysia] = await alternate(rounds, [ours, control]);
  await server.peyk.operate("POST", "/routes/simulator/enable");
  const [busy, idle] = await alternate(rounds, [ours, control]);
  const kannel = isKannelInstalled() ? await besideKannel(ours, scale) : [];
  bare.stop();
  await server.stop();
  assertAnswered(peyk, busy);
  const share = ratioOf(peyk, elysia);
  return [
    {
      what: `accept, ${connections} connections, beside bare Elysia`,
      measured: perSecond(rateOf(peyk)),
      control: perSecond(rateOf(elysia)),
      ratio: share,
      bar: "0.60",
      met: share >= 0.6,
    },
    { what: "  its p99", measured: milliseconds(p99Of(peyk)) },
    {
      what: "  the same while the simulator carries it all",
      measured: perSecond(rateOf(busy)),
      control: perSecond(rateOf(idle)),
      ratio: ratioOf(busy, idle),
    },
    ...kannel,
  ];
}

/** Kannel keeps nothing on disk here; its bearerbox hands everything to a peer that answers at once. */
async function besideKannel(
  ours: () => Promise<LoadResult>,
  { loadSeconds: seconds, rounds, connections }: Scale,
): Promise<Measure[]> {
  const smsc = await startFastSmsc();
  const kannel = await startKannel({ smscPort: smsc.port, username: "bench", password: kannelPassword, logLevel: 3 });
  const url = new URL(kannel.sendsmsUrl).origin;
  const [peyk, sendsms] = await alternate(rounds, [
    ours,
    () => load({ url, script: "sendsms.lua", seconds, connections }),
  ]);
  await kannel.stop();
  await smsc.stop();
  const times = ratioOf(peyk, sendsms);
  return [
    {
      what: "accept, beside Kannel's sendsms (not durable)",
      measured: perSecond(rateOf(peyk)),
      control: perSecond(rateOf(sendsms)),
      ratio: times,
      bar: "3.00",
      met: times >= 3,
    },
  ];
}
