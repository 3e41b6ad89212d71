/** Measures suppression at ten million numbers: size on disk, import, start, and the cost of the lists for a claim. */
import { statSync } from "node:fs";
import { ClaimChecks } from "../../src/messaging/rules/claim-checks.ts";
import { SuppressionService } from "../../src/messaging/suppression/suppression-service.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openStore } from "../../src/store/store.ts";
import { longestTurn } from "../support/longest-turn.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

const count = Number(process.argv[2] ?? 10_000_000);
const linesInChunk = 5_000;
const claims = 200_000;

const clock = new ManualClock();
const folder = temporaryFolder();
const open = () => openStore({ folder: folder.path, now: clock.now() });

/** In no order, as in real files; 7,919 is prime to the 100 million numbers of +989100000000 to +989199999999. */
const numberAt = (index: number) => `091${String((index * 7_919) % 100_000_000).padStart(8, "0")}`;

async function* file() {
  const encoder = new TextEncoder();
  yield encoder.encode("mobile\n");
  for (let from = 0; from < count; from += linesInChunk) {
    const lines = Array.from({ length: Math.min(linesInChunk, count - from) }, (_, index) => numberAt(from + index));
    yield encoder.encode(`${lines.join("\n")}\n`);
  }
}

/** One claim, in µs, if the list is empty, lacks the number, or contains it. */
function claimCost(store: ReturnType<typeof open>, first: number): number {
  const judge = new ClaimChecks({
    directory: { account: () => ({ suppressionScope: "bulk" }) },
    quietHours: { until: () => null },
  });
  const startedAt = performance.now();
  for (let index = 0; index < claims; index += 1) {
    const recipient = `+98${numberAt(first + index).slice(1)}`;
    judge.blocks(store.tables, { id: 1, accountId: 1, class: 2, recipient });
  }
  return ((performance.now() - startedAt) / claims) * 1_000;
}

/** The fastest of ten, each in its own process: this one has much garbage. */
function openingMs(): number {
  const script = `
    const { openStore } = await import(${JSON.stringify(import.meta.resolve("../../src/store/store.ts"))});
    const startedAt = performance.now();
    const store = openStore({ folder: ${JSON.stringify(folder.path)}, now: ${clock.now()} });
    console.log(performance.now() - startedAt);
    store.close();`;
  const opening = () => Number(Bun.spawnSync([process.execPath, "-e", script]).stdout.toString());
  return Math.min(...Array.from({ length: 10 }, opening));
}
open().close();
const openingEmptyMs = openingMs();
let store = open();
const idle = claimCost(store, 0);
const service = new SuppressionService({
  store,
  clock,
  log: silentLog,
  defaultRegion: "IR",
  numbers: { recipients: "possible", extraRanges: ["+9891"] },
});
let longest = 0;
let last = performance.now();
const ticker = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 1);
const importedFrom = performance.now();
let added = 0;
const turnMs = await longestTurn(async () => {
  const imported = await service.import(0, "bench.csv", file(), {
    problem: (line, { message }) => console.error(line, message),
    progress: () => {},
  });
  added = imported?.added ?? 0;
});
const importMs = performance.now() - importedFrom;
clearInterval(ticker);
const memory = process.memoryUsage.rss();
store.close();
const bytes = statSync(`${folder.path}/peyk.db`).size;
const openingFullMs = openingMs();
store = open();
const lacking = claimCost(store, count);
const holding = claimCost(store, 0);
store.close();
folder.remove();

const rows: [string, string][] = [
  ["numbers", `${added} of ${count}`],
  ["on disk", `${(bytes / 1e6).toFixed(0)} MB, the empty database included`],
  ["import", `${(importMs / 1_000).toFixed(0)} s`],
  ["the event loop held", `${turnMs.toFixed(0)} ms at most of processor time, ${longest.toFixed(0)} ms by the clock`],
  ["memory", `${(memory / 1e6).toFixed(0)} MB after the import`],
  ["opening the store", `${openingFullMs.toFixed(1)} ms; ${openingEmptyMs.toFixed(1)} while it was empty`],
  ["a claim, no list", `${idle.toFixed(2)} µs`],
  ["a claim, number not on the list", `${lacking.toFixed(2)} µs`],
  ["a claim, number on the list", `${holding.toFixed(2)} µs`],
];
for (const [name, value] of rows) console.log(`${name.padEnd(32)} ${value}`);
