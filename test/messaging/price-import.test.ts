/** Large files of prices: they apply from one moment on, and leave nothing behind if they are not completed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { openBilling } from "../../src/messaging/billing/billing.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { Networks } from "../../src/messaging/routing/networks.ts";
import { silentLog } from "../../src/platform/log.ts";
import { nextTurn } from "../../src/platform/next-turn.ts";
import type { Store } from "../../src/store/store.ts";
import { believedBy } from "../support/booking.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const clock = new ManualClock();
const lineCount = 50_000;

let folder: ReturnType<typeof temporaryFolder>;
let opened: ReturnType<typeof open>;
beforeEach(() => {
  folder = temporaryFolder();
  opened = open(folder.path);
});
afterEach(async () => {
  await close(opened);
  folder.remove();
});

function open(path: string) {
  const store = openMigratedStore({ folder: path, now: clock.now() });
  const directory = new Directory(store.tables, clock);
  const { prices } = openBilling({
    store,
    clock,
    bookingClock: believedBy(clock),
    log: silentLog,
    directory,
    networks: new Networks(store.tables),
    timeZone: "Asia/Tehran",
    currency: "IRR",
  });
  return { store, prices };
}

async function close({ store, prices }: ReturnType<typeof open>): Promise<void> {
  await prices.settled();
  store.close();
}

/** In no order; 7,919 is prime to the count. */
const prefixAt = (index: number) => String(100_000 + ((index * 7_919) % lineCount));
const fileOf = (priceAt: (index: number) => number, count = lineCount) =>
  `prefix,price\n${Array.from({ length: count }, (_, index) => `${prefixAt(index)},${priceAt(index)}`).join("\n")}\n`;

const storedLines = ({ tables: { priceLists } }: Store) =>
  priceLists.versions().map((version) => priceLists.linesOf(version).length);

test("an import replaces a list's lines by prefix and time, and keeps a line written meanwhile", async () => {
  const { prices } = opened;
  await prices.import("retail", "prefix,price,from\n98912,5,2026-12-01\n*,7,2026-12-01\n");
  const importing = prices.import("retail", `${fileOf((index) => index, 5_000)}98912,9,\n`);
  while (storedLines(opened.store).length < 2) await nextTurn();
  const file = prices.import("retail", "prefix,price,from\n98912,6,2026-12-01\n");
  const line = prices.set("retail", { prefix: "98912", price: "10", from: "" });
  await Promise.all([importing, file, line]);
  const { lines } = prices.show("retail");
  const expected = Array.from({ length: 5_000 }, (_, index) => [prefixAt(index), index] as const);
  const now = clock.now();
  const sorted = [...expected, ["98912", 10], ["98912", 6], ["", 7]].map(([prefix, amount]) => `${prefix} ${amount}`);
  expect(lines.map(({ prefix, amount }) => `${prefix} ${amount}`).sort()).toEqual(sorted.sort());
  expect(
    lines.filter(({ prefix }) => prefix === "98912").map(({ amount, validFrom }) => [amount, validFrom > now]),
  ).toEqual([
    [10, false],
    [6, true],
  ]);
  await close(opened);
  opened = open(folder.path);
  expect(opened.prices.show("retail").lines.map(({ prefix, amount }) => `${prefix} ${amount}`)).toEqual(
    lines.map(({ prefix, amount }) => `${prefix} ${amount}`),
  );
});

test("an import interrupted by a crash changes nothing, and its remains are removed", async () => {
  const { prices, store } = opened;
  await prices.import("retail", "prefix,price\n*,5\n");
  await prices.settled();
  const importing = prices.import(
    "retail",
    fileOf(() => 7),
  );
  while (storedLines(store).length < 2) await nextTurn();
  const copy = temporaryFolder();
  // As a kill would leave it: no turn of the event loop passes while the files are copied.
  cpSync(folder.path, copy.path, { recursive: true });
  await importing;
  const crashed = open(copy.path);
  expect(crashed.prices.show("retail").lines).toMatchObject([{ prefix: "", amount: 5 }]);
  const [before, half] = storedLines(crashed.store);
  expect([before, half !== undefined && half > 0 && half < lineCount]).toEqual([1, true]);
  crashed.prices.tidy();
  await crashed.prices.settled();
  expect(storedLines(crashed.store)).toEqual([1]);
  await close(crashed);
  copy.remove();
});

test("wrong lines are left out up to the given number, and a repeated prefix counts as one", async () => {
  const { prices } = opened;
  const file = "prefix,price\n*,5\n98x,1\n98912,7\n98912,8\n";
  await expect(prices.import("retail", file, 1)).rejects.toMatchObject({ problems: { length: 2 } });
  expect(await prices.import("retail", file, 2)).toMatchObject({ imported: 2, leftOut: 2 });
  expect(prices.show("retail").lines.map(({ prefix, amount }) => [prefix, amount])).toEqual([
    ["", 5],
    ["98912", 7],
  ]);
  await expect(prices.import("retail", "prefix,price\n98x,1\n", 1)).rejects.toMatchObject({ problems: { length: 1 } });
  await expect(prices.import("retail", "number,cost\n98,1\n", 1)).rejects.toMatchObject({ code: "invalid" });
});

test("a file with a wrong line leaves the list unchanged, and a thousand are named at most", async () => {
  const { prices, store } = opened;
  await prices.import("retail", "prefix,price\n*,5\n");
  await prices.settled();
  const wrong = prices.import("retail", `${fileOf(() => 7)}98x,1\n`);
  await expect(wrong).rejects.toMatchObject({ problems: [{ key: `line ${lineCount + 2}` }] });
  const allWrong = prices.import(
    "retail",
    fileOf(() => -1),
  );
  await expect(allWrong).rejects.toMatchObject({ problems: { length: 1_000 } });
  expect(prices.show("retail").lines).toMatchObject([{ prefix: "", amount: 5 }]);
  expect(storedLines(store)).toEqual([1]);
});
