/** Pages of the console over a full store, while messages are accepted at half load: how long they take, and what they cost the others. */
import { FormClient, goodPassword } from "../support/console.ts";
import { alternate, assertAnswered, rateOf, ratioOf } from "./alternate.ts";
import { type BenchServer, startBenchServer } from "./bench-server.ts";
import { filledFolder } from "./growth.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { indexed } from "./search.ts";
import { type LoadResult, load } from "./wrk.ts";

const pageMsMax = 100;
const acceptShareMin = 0.95;
/** A person who looks at page after page without reading. */
const pagesPerSecond = 4;

async function signedIn({ peyk }: BenchServer): Promise<FormClient> {
  const { setup } = (await peyk.operate("POST", "/users/setup-link")) as { setup: { path: string } };
  const client = new FormClient(peyk.consoleUrl);
  await client.post(setup.path, { password: goodPassword, again: goodPassword });
  return client;
}

/** Those that an operator's day is made of. */
async function everydayPaths({ peyk }: BenchServer): Promise<string[]> {
  const { messages } = (await peyk.operate("GET", "/messages?limit=1")) as { messages: { trackingCode: string }[] };
  return [
    "/",
    "/messages",
    "/messages?q=4711",
    "/messages?status=failed&range=24h",
    `/messages/${messages[0]?.trackingCode}`,
    "/accounts",
    "/accounts/acc_1",
    "/routes",
    "/reports?range=week&by=day",
    "/callbacks",
  ];
}

/** Milliseconds of each page in turn, until `ended`. */
async function looking(client: FormClient, paths: readonly string[], times: number[], isOver: () => boolean) {
  for (let index = 0; !isOver(); index += 1) {
    const startedAt = performance.now();
    const answer = await client.get(paths[index % paths.length] ?? "/");
    await answer.text();
    if (answer.status !== 200) throw new Error(`${paths[index % paths.length]} answered ${answer.status}`);
    times.push(performance.now() - startedAt);
    await Bun.sleep(1_000 / pagesPerSecond);
  }
}

const share95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

export async function consoleRows(scale: Scale): Promise<Measure[]> {
  const { stored, connections, rounds, warmSeconds, loadSeconds } = scale;
  const folder = await filledFolder(stored);
  const server = await startBenchServer({ folder: folder.path, routesDisabled: true });
  await indexed(server);
  const client = await signedIn(server);
  const paths = await everydayPaths(server);
  const { peyk, customer } = server;
  const post = { url: peyk.url, apiKey: customer.apiKey, connections };
  await load({ ...post, script: "send.lua", seconds: warmSeconds });
  const full = await load({ ...post, script: "send.lua", seconds: loadSeconds });
  const restMs = Math.max((connections * 1_000) / (full.perSecond / 2) - 5, 1);
  const times: number[] = [];
  async function half(watched: boolean): Promise<LoadResult> {
    let isOver = !watched;
    const looked = looking(client, paths, times, () => isOver);
    const result = await load({ ...post, script: "paced.lua", restMs, seconds: loadSeconds });
    isOver = true;
    await looked;
    return result;
  }
  const [watched = [], alone = []] = await alternate(rounds, [() => half(true), () => half(false)]);
  await server.stop();
  folder.remove();
  assertAnswered(watched, alone);
  const share = ratioOf(watched, alone);
  return [
    {
      what: `pages of the console, ${stored.toLocaleString("en")} messages stored, 95 of 100`,
      measured: milliseconds(share95(times)),
      bar: `under ${milliseconds(pageMsMax)}`,
      met: share95(times) < pageMsMax,
    },
    {
      what: `  accept at half load, ${pagesPerSecond} pages a second beside it`,
      measured: perSecond(rateOf(watched)),
      control: perSecond(rateOf(alone)),
      ratio: share,
      bar: acceptShareMin.toFixed(2),
      met: share >= acceptShareMin,
    },
  ];
}
