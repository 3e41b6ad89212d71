/** Pages of the console over a full store, while messages are accepted at half load: how long they take, and what they cost others. */
import { FormClient, goodPassword } from "../support/console.ts";
import { alternate, assertAnswered, rateOf, ratioOf } from "./alternate.ts";
import { type BenchServer, indexed, startBenchServer } from "./bench-server.ts";
import { filledFolder } from "./growth.ts";
import { notingHolds, pageHolds } from "./page-holds.ts";
import { type Measure, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const pageMsMax = 100;
const firstPageMsMax = 80;
const holdMsMax = 10;
const acceptShareMin = 0.95;
/** Rounds of the scale's: 95 of 100 wants a hundred calls. */
const roundsOfPages = 4;
/** A person who looks at page after page without reading. */
const pagesPerSecond = 4;

async function signedIn({ peyk }: BenchServer): Promise<FormClient> {
  const { setup } = (await peyk.operate("POST", "/users/setup-link")) as { setup: { path: string } };
  const client = new FormClient(peyk.consoleUrl);
  await client.post(setup.path, { password: goodPassword, again: goodPassword });
  return client;
}

/** The pages of an operator's day. */
async function everydayPaths({ peyk }: BenchServer): Promise<string[]> {
  const { messages } = (await peyk.operate("GET", "/messages?limit=1")) as { messages: { trackingCode: string }[] };
  return [
    "/",
    "/messages",
    "/messages?q=4711",
    "/messages?status=failed&range=24h",
    "/messages?slower=1h",
    "/messages?network=Irancell",
    `/messages/${messages[0]?.trackingCode}`,
    "/accounts",
    "/accounts/acc_1",
    "/routes",
    "/reports?range=week&by=day",
    "/callbacks",
  ];
}

/** They read the whole store in turns, and tell how far they came. */
const isWithoutIndex = (path: string) => /[?&](slower|network)=/.test(path);

/** Milliseconds by the path of a page. */
type PageTimes = Map<string, number[]>;

/** Opens page after page until `isOver`, and before each of them the first page. */
async function looking(client: FormClient, times: PageTimes, isOver: () => boolean): Promise<void> {
  const first = times.get("/") ?? [];
  while (!isOver()) {
    for (const [path, taken] of [...times].flatMap((page) => [["/", first] as const, page])) {
      if (isOver()) return;
      const startedAt = performance.now();
      const answer = await client.get(path);
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
      taken.push(performance.now() - startedAt);
      await Bun.sleep(1_000 / pagesPerSecond);
    }
  }
}

/** On a separate server, so that recording holds costs the other rows nothing. The client's session is valid on the next server as well. */
async function holdsOf(folder: string): Promise<{ client: FormClient; holds: Measure[] }> {
  const server = await startBenchServer({ folder, routesDisabled: true, env: notingHolds(folder) });
  await indexed(server);
  const client = await signedIn(server);
  const pages = await pageHolds(folder, client, await everydayPaths(server));
  await server.stop();
  for (const { path, first, later } of pages) {
    console.error(`  ${path} held the loop for ${milliseconds(first)}, later ${milliseconds(later)}`);
  }
  const row = (what: string, ms: number): Measure => ({
    what,
    measured: milliseconds(ms),
    bar: `under ${milliseconds(holdMsMax)}`,
    met: ms < holdMsMax,
  });
  return {
    client,
    holds: [
      row("  serving loop held by the first call of a page, at most", Math.max(...pages.map(({ first }) => first))),
      row("  by a later call", Math.max(...pages.map(({ later }) => later))),
    ],
  };
}

const share95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;

export async function consoleRows(scale: Scale): Promise<Measure[]> {
  const { stored, connections, rounds, warmSeconds, loadSeconds } = scale;
  const folder = await filledFolder(stored);
  const { client: signed, holds } = await holdsOf(folder.path);
  const server = await startBenchServer({ folder: folder.path, routesDisabled: true });
  await indexed(server);
  const client = new FormClient(server.peyk.consoleUrl);
  for (const [name, value] of signed.cookies) client.cookies.set(name, value);
  const timesByPath: PageTimes = new Map((await everydayPaths(server)).map((path) => [path, []]));
  const { peyk, customer } = server;
  const post = { url: peyk.url, apiKey: customer.apiKey, connections };
  await load({ ...post, script: "send.lua", seconds: warmSeconds });
  const full = await load({ ...post, script: "send.lua", seconds: loadSeconds });
  const restMs = Math.max((connections * 1_000) / (full.perSecond / 2) - 5, 1);
  async function half(watched: boolean): Promise<LoadResult> {
    let isOver = !watched;
    const looked = looking(client, timesByPath, () => isOver);
    const result = await load({ ...post, script: "paced.lua", restMs, seconds: loadSeconds });
    isOver = true;
    await looked;
    return result;
  }
  const [watched = [], alone = []] = await alternate(rounds * roundsOfPages, [() => half(true), () => half(false)]);
  await server.stop();
  folder.remove();
  assertAnswered(watched, alone);
  const share = ratioOf(watched, alone);
  const timesOf = (isChosen: (path: string) => boolean) =>
    [...timesByPath].flatMap(([path, taken]) => (isChosen(path) ? taken : []));
  const times = timesOf((path) => !isWithoutIndex(path));
  const firstMs = share95(timesByPath.get("/") ?? []);
  for (const [path, taken] of timesByPath) {
    if (taken.length > 0)
      console.error(`  ${path}: 95 of 100 in ${milliseconds(share95(taken))} (${taken.length} calls)`);
  }
  return [
    {
      what: `pages of the console, ${stored.toLocaleString("en")} messages stored, 95 of 100`,
      measured: milliseconds(share95(times)),
      bar: `under ${milliseconds(pageMsMax)}`,
      met: share95(times) < pageMsMax,
    },
    {
      what: "  the first page, 95 of 100",
      measured: milliseconds(firstMs),
      bar: `at most ${milliseconds(firstPageMsMax)}`,
      met: firstMs <= firstPageMsMax,
    },
    {
      what: "  pages of filters that have no index, 95 of 100",
      measured: milliseconds(share95(timesOf(isWithoutIndex))),
    },
    ...holds,
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
