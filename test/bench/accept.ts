/** Accepting one message by one: the whole pipeline, durable, beside a bare Elysia endpoint and Kannel's sendsms. */

import { startFastSmsc } from "../support/fast-smsc.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { startBare, startSubject } from "./subjects.ts";
import { assertAnswered, inTurn, p99Of, rateOf, ratioOf } from "./turns.ts";
import { type LoadResult, load } from "./wrk.ts";

export async function acceptRows(scale: Scale): Promise<Measure[]> {
  const { loadSeconds: seconds, warmSeconds, rounds, connections } = scale;
  const subject = await startSubject({ routesDisabled: true });
  const bare = await startBare();
  const apiKey = subject.customer.apiKey;
  const script = "send.lua";
  const ours = () => load({ url: subject.peyk.url, script, seconds, connections, apiKey });
  const control = () => load({ url: bare.url, script, seconds, connections });
  await load({ url: subject.peyk.url, script, seconds: warmSeconds, connections, apiKey });
  const [peyk, elysia] = await inTurn(rounds, [ours, control]);
  await subject.peyk.operate("POST", "/routes/simulator/enable");
  const [busy, idle] = await inTurn(rounds, [ours, control]);
  const kannel = isKannelInstalled() ? await besideKannel(ours, scale) : [];
  bare.stop();
  await subject.stop();
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
  const kannel = await startKannel({ smscPort: smsc.port, username: "bench", password: "bench", logLevel: 3 });
  const url = new URL(kannel.sendsmsUrl).origin;
  const [peyk, sendsms] = await inTurn(rounds, [
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
