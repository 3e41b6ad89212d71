/** Kannel clients: durable `/cgi-bin/sendsms` compared with this service's own API and with Kannel's. */
import { startFastSmsc } from "../support/fast-smsc.ts";
import { isKannelInstalled, startKannel } from "../support/kannel.ts";
import type { PeykProcess } from "../support/peyk-process.ts";
import { alternate, assertAnswered, comparedBy, p99Of, rateOf } from "./alternate.ts";
import { startBenchServer } from "./bench-server.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { kannelPassword, type LoadResult, load } from "./wrk.ts";

export const dropInListening = { PEYK_DROP_IN_LISTEN: "127.0.0.1:0" };

/** The drop-in listener, with a credential for sendsms.lua. */
export async function sendsmsUrl(peyk: PeykProcess): Promise<string> {
  // Long enough to need no address check: a key limited to some addresses costs the API more than this protocol.
  const made = { key: "key_1", kind: "kannel", name: "bench", password: kannelPassword, traffic: "single" };
  await peyk.operate("POST", "/credentials", made);
  return /"dropInUrl":"([^"]+)"/.exec(peyk.log)?.[1] ?? "";
}

export async function dropInRows(scale: Scale): Promise<Measure[]> {
  const { sampleSeconds: seconds, warmSeconds, samples, connections } = scale;
  const server = await startBenchServer({ routesDisabled: true, env: dropInListening });
  const { apiKey } = server.customer;
  const url = await sendsmsUrl(server.peyk);
  const sendsms = (during: number) => () => load({ url, script: "sendsms.lua", seconds: during, connections });
  const api = (during: number) => () =>
    load({ url: server.peyk.url, script: "send.lua", seconds: during, connections, apiKey });
  await sendsms(warmSeconds)();
  await api(warmSeconds)();
  const [ours, accept] = await alternate(samples, [sendsms(seconds), api(seconds)]);
  const kannel = isKannelInstalled() ? await besideKannel(sendsms(seconds), scale) : [];
  await server.stop();
  assertAnswered(ours, accept);
  const beside = comparedBy("perSecond", ours, accept);
  return [
    {
      what: `sendsms, ${connections} connections, beside the API's accept`,
      measured: perSecond(rateOf(ours)),
      control: perSecond(rateOf(accept)),
      ...beside,
      bar: "0.90",
      met: beside.ratio >= 0.9,
    },
    { what: "  its p99", measured: milliseconds(p99Of(ours)) },
    ...kannel,
  ];
}

/** Kannel keeps nothing on disk here; its bearerbox hands everything to a peer that answers at once. */
async function besideKannel(
  ours: () => Promise<LoadResult>,
  { sampleSeconds: seconds, samples, connections }: Scale,
): Promise<Measure[]> {
  const smsc = await startFastSmsc();
  const kannel = await startKannel({ smscPort: smsc.port, username: "bench", password: kannelPassword, logLevel: 3 });
  const url = new URL(kannel.sendsmsUrl).origin;
  const theirs = () => load({ url, script: "sendsms.lua", seconds, connections });
  const [peyk, sendsms] = await alternate(samples, [ours, theirs]);
  await kannel.stop();
  await smsc.stop();
  return [
    {
      what: "  the same beside Kannel's own (not durable)",
      measured: perSecond(rateOf(peyk)),
      control: perSecond(rateOf(sendsms)),
      ...comparedBy("perSecond", peyk, sendsms),
    },
  ];
}
