/** Customers by SMPP: durable submits at a window of 100 on ten binds, beside this service's own HTTP acceptance. */
import { join } from "node:path";
import { freePort } from "../support/free-ports.ts";
import { alternate, assertAnswered, p99Of, rateOf, ratioOf } from "./alternate.ts";
import { startBenchServer } from "./bench-server.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const binds = 10;
const window = 100;

export async function smppServerRows(scale: Scale): Promise<Measure[]> {
  const { loadSeconds: seconds, warmSeconds, rounds, connections } = scale;
  const port = await freePort();
  const env = { PEYK_SMPP_SERVER_LISTEN: `127.0.0.1:${port}` };
  const server = await startBenchServer({ routesDisabled: true, env });
  const { apiKey, sender } = server.customer;
  const made = { key: "key_1", kind: "smpp", name: "bench", traffic: "single", binds: 100, window: 1000 };
  const { password } = await server.peyk.operate("POST", "/credentials", made);
  const submits = (during: number) => async (): Promise<LoadResult> => {
    const client = join(import.meta.dir, "smpp-client.ts");
    const argv = [port, "bench", password, sender, binds, window, during].map(String);
    const child = Bun.spawn([process.execPath, client, ...argv], { stdout: "pipe" });
    return JSON.parse(await new Response(child.stdout).text());
  };
  const http = () => load({ url: server.peyk.url, script: "send.lua", seconds, connections, apiKey });
  await submits(warmSeconds)();
  await load({ url: server.peyk.url, script: "send.lua", seconds: warmSeconds, connections, apiKey });
  const [smpp, api] = await alternate(rounds, [submits(seconds), http]);
  await server.stop();
  assertAnswered(smpp, api);
  const times = ratioOf(smpp, api);
  return [
    {
      what: `submit_sm, window ${window} on ${binds} binds, beside HTTP's accept`,
      measured: perSecond(rateOf(smpp)),
      control: perSecond(rateOf(api)),
      ratio: times,
      bar: "1.50",
      met: times >= 1.5,
    },
    { what: "  its p99", measured: milliseconds(p99Of(smpp)) },
  ];
}
