/** Searches of a full store: how long they take, and what scanning all of it costs customers who send meanwhile. */
import { join } from "node:path";
import { alternate, assertAnswered, p99Of, rateOf, ratioOf } from "./alternate.ts";
import { type BenchServer, indexed, residentMb, startBenchServer } from "./bench-server.ts";
import { filledFolder } from "./growth.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const searchMsMax = 300;
const acceptShareMin = 0.95;
const asked = 15;
const exportMsMaxPerMillion = 30_000;
/** The reading thread's own heap. */
const exportGrowthMbMax = 150;

/** Milliseconds, the median of searches for ends or references that hardly repeat. */
async function searchMs({ peyk }: BenchServer, query: (index: number) => string): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < asked; index += 1) {
    const startedAt = performance.now();
    await peyk.operate("GET", `/messages?${query(index)}`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** Load, while searches without results scan the whole store again and again, or without them. */
async function accepting({ peyk, customer }: BenchServer, scale: Scale, walks: boolean): Promise<LoadResult> {
  const { loadSeconds: seconds, connections } = scale;
  let loading = walks;
  const walking = (async () => {
    while (loading) await peyk.operate("GET", "/messages?sender=nobody");
  })();
  const result = await load({ url: peyk.url, script: "send.lua", seconds, connections, apiKey: customer.apiKey });
  loading = false;
  await walking;
  return result;
}

/** Everything as CSV, read as fast as it arrives: how long it takes, and the server's peak memory. */
async function exportRows({ peyk }: BenchServer, stored: number): Promise<Measure[]> {
  const before = await residentMb(peyk.pid);
  const startedAt = performance.now();
  const { body } = await fetch("http://localhost/messages/export", { unix: join(peyk.folder, "peyk.sock") });
  if (body === null) throw new Error("The export has no body");
  let lines = 0;
  let peak = before;
  let lookAt = startedAt;
  for await (const bytes of body) {
    for (const byte of bytes) if (byte === lineFeed) lines += 1;
    if (performance.now() < lookAt) continue;
    lookAt = performance.now() + 200;
    peak = Math.max(peak, await residentMb(peyk.pid));
  }
  const tookMs = performance.now() - startedAt;
  if (lines !== stored + 1) throw new Error(`${lines} lines of ${stored} messages`);
  const msMax = Math.max((exportMsMaxPerMillion * stored) / 1_000_000, 1_000);
  const growthMb = peak - before;
  return [
    {
      what: "  exported whole as CSV",
      measured: milliseconds(tookMs),
      bar: `under ${milliseconds(msMax)}`,
      met: tookMs < msMax,
    },
    {
      what: "    memory for it",
      measured: `${growthMb.toFixed(0)} MB`,
      bar: `under ${exportGrowthMbMax} MB`,
      met: growthMb < exportGrowthMbMax,
    },
  ];
}

const lineFeed = 0x0a;

export async function searchRows(scale: Scale): Promise<Measure[]> {
  const { stored, rounds } = scale;
  const folder = await filledFolder(stored);
  const server = await startBenchServer({ folder: folder.path, routesDisabled: true });
  await indexed(server);
  const search = (what: string, ms: number): Measure => ({
    what,
    measured: milliseconds(ms),
    bar: `under ${milliseconds(searchMsMax)}`,
    met: ms < searchMsMax,
  });
  const measures = [
    search(
      `search ${stored.toLocaleString("en")} messages by the last 4 digits`,
      await searchMs(server, (index) => `recipient=${1_000 + index * 400 + 50}`),
    ),
    search("  by a whole number", await searchMs(server, (index) => `recipient=0912${1_000_050 + index * 300}`)),
    search("  by reference", await searchMs(server, (index) => `reference=order-${1 + index * 10}`)),
    ...(await exportRows(server, stored)),
  ];
  const walks = [true, false].map((walk) => () => accepting(server, scale, walk));
  const [beside = [], alone = []] = await alternate(rounds, walks);
  assertAnswered(beside, alone);
  await server.stop();
  folder.remove();
  const share = ratioOf(beside, alone);
  return [
    ...measures,
    {
      what: "accept while searches walk through all of them",
      measured: perSecond(rateOf(beside)),
      control: perSecond(rateOf(alone)),
      ratio: share,
      bar: acceptShareMin.toFixed(2),
      met: share >= acceptShareMin,
    },
    { what: "  its p99", measured: milliseconds(p99Of(beside)), control: milliseconds(p99Of(alone)) },
  ];
}
