/** Accepting with months of messages in the store, compared with an empty one; and how long a start takes then. */
import type { Customer } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { alternate, assertAnswered, p99Of, rateOf, ratioOf } from "./alternate.ts";
import { indexed, startBenchServer } from "./bench-server.ts";
import { fillServed, originOf } from "./filler.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { ready, timePeyk } from "./time-start.ts";
import { type LoadResult, load } from "./wrk.ts";

const shareMin = 0.92;
/** Times that of an empty store. */
const p99Max = 1.2;
const startMsMax = 1_000;

/** A folder as if its service had just stopped, with everything on disk. */
export async function filledFolder(stored: number): Promise<ReturnType<typeof temporaryFolder>> {
  const folder = temporaryFolder();
  await fillFolder(folder.path, stored);
  return folder;
}

/** The customer whose messages are stored. */
export async function fillFolder(folder: string, stored: number): Promise<Customer> {
  const server = await startBenchServer({ folder });
  // Without a route that is up the service is not ready, and the default route is disabled while accepting is measured.
  await server.peyk.operate("POST", "/routes", { name: "idle", kind: "simulator" });
  await server.stop();
  const startedAt = performance.now();
  await fillServed(folder, originOf(folder, server.customer.sender), stored);
  // A service of months has indexed its messages as they came; left undone, that work runs beside what is measured.
  const served = await startBenchServer({ folder });
  await indexed(served);
  await served.stop();
  const tookMs = performance.now() - startedAt;
  console.error(`  stored ${stored.toLocaleString("en")} messages in ${(tookMs / 1_000).toFixed(0)} s`);
  return server.customer;
}

/** A new process for each round: a store is empty only once. `folder` null means a new one. */
async function round(folder: string | null, { loadSeconds, warmSeconds, connections }: Scale): Promise<LoadResult> {
  const { peyk, customer, stop } = await startBenchServer({ routesDisabled: true, ...(folder !== null && { folder }) });
  const posts = { url: peyk.url, script: "send.lua" as const, connections, apiKey: customer.apiKey };
  await load({ ...posts, seconds: warmSeconds });
  const result = await load({ ...posts, seconds: loadSeconds });
  await stop();
  return result;
}

async function starts(folder: string, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < rounds; count += 1) times.push((await timePeyk(folder, ready)).readyMs);
  return times;
}

/** A start after kill -9 under load: the write-ahead log is read first. */
async function startAfterKill(folder: string, { warmSeconds, connections }: Scale): Promise<number> {
  const { peyk, customer } = await startBenchServer({ folder, routesDisabled: true });
  const posts = { url: peyk.url, script: "send.lua" as const, connections, apiKey: customer.apiKey };
  await load({ ...posts, seconds: warmSeconds });
  await peyk.kill();
  return (await timePeyk(folder, ready)).readyMs;
}

export async function growthRows(scale: Scale): Promise<Measure[]> {
  const { stored, rounds } = scale;
  const folder = await filledFolder(stored);
  const [full = [], empty = []] = await alternate(rounds, [() => round(folder.path, scale), () => round(null, scale)]);
  assertAnswered(full, empty);
  const startMs = median(await starts(folder.path, rounds));
  const afterKillMs = await startAfterKill(folder.path, scale);
  folder.remove();
  const share = ratioOf(full, empty);
  const slower = p99Of(full) / p99Of(empty);
  const bar = `under ${milliseconds(startMsMax)}`;
  return [
    {
      what: `accept with ${stored.toLocaleString("en")} messages stored, beside an empty store`,
      measured: perSecond(rateOf(full)),
      control: perSecond(rateOf(empty)),
      ratio: share,
      bar: shareMin.toFixed(2),
      met: share >= shareMin,
    },
    {
      what: "  its p99",
      measured: milliseconds(p99Of(full)),
      control: milliseconds(p99Of(empty)),
      ratio: slower,
      bar: `at most ${p99Max}`,
      met: slower <= p99Max,
    },
    { what: "  start to ready with them", measured: milliseconds(startMs), bar, met: startMs < startMsMax },
    { what: "  the same after kill -9", measured: milliseconds(afterKillMs), bar, met: afterKillMs < startMsMax },
  ];
}
