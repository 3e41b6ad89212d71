/** The stream of the first page: one tick for all readers, and none without readers. */
import { beforeEach, expect, test } from "bun:test";
import type { PageEvent } from "../../src/console/page/page.ts";
import { NowEvents } from "../../src/console/places/now/now-events.tsx";
import { silentLog } from "../../src/platform/log.ts";
import { ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let now: NowEvents;
let asked: number;
let counted: number;
let delivered: number;
let charges: number;
let chargesMs: number;
beforeEach(() => {
  clock = new ManualClock();
  asked = 0;
  counted = 0;
  delivered = 0;
  charges = 0;
  chargesMs = 0;
  now = new NowEvents({
    clock,
    log: silentLog,
    overview: () => {
      asked += 1;
      const at = Math.floor(clock.now() / 60_000) * 60_000;
      const outcomes = [{ at, delivered, sent: 0, cancelled: 0, failed: 0 }];
      const begun = { carrier: true, account: true, message: true };
      return Promise.resolve({ attention: [], routes: [], queue: [], outcomes, begun });
    },
    lastDay: () => Promise.resolve({ hours: new Map(), outcomes: new Map() }),
    rightNow: () => Promise.resolve({ latest: [], running: [] }),
    charged: (_, at) => {
      charges += 1;
      const read = { price: charges, cost: 0, currency: "IRR", at };
      return new Promise((resolve) => {
        if (chargesMs === 0) resolve(read);
        else clock.after(chargesMs, () => resolve(read));
      });
    },
    reports: {
      figures: () => {
        counted += 1;
        return Promise.resolve([]);
      },
    },
  });
});

function reader(language: "en" | "fa", zone = "Asia/Tehran") {
  const events: PageEvent[] = [];
  const stop = now.for({ language, zone, role: "owner" }).start((event) => events.push(event));
  return { events, stop, texts: () => events.splice(0).map(({ name, data }) => name ?? data) };
}

test("live figures are read once a second, however many pages are open", async () => {
  const readers = Array.from({ length: 20 }, (_, index) => reader(index % 2 === 0 ? "en" : "fa"));
  await clock.advance(1);
  expect(asked).toBe(1);
  expect(readers.every(({ events }) => events.length === 8)).toBe(true);
  await clock.advance(10_000);
  expect(asked).toBe(11);
  // Today and yesterday, for each language: computed again after ten seconds.
  expect(counted).toBe(8);
  for (const { stop } of readers) stop();
  await clock.advance(60_000);
  expect(asked).toBeLessThanOrEqual(12);
});

test("each page gets them in its language, and only what changed", async () => {
  const [english, persian] = [reader("en"), reader("fa")];
  await clock.advance(1);
  expect(english.texts().join()).toContain("All is well");
  expect(persian.texts().join()).toContain("همه‌چیز روبه‌راه است");
  await clock.advance(3_000);
  expect(english.texts()).toEqual([]);
  delivered = 7;
  await clock.advance(1_000);
  expect(english.events).toEqual([{ name: null, data: expect.stringContaining('hx-target="#now-outcomes"') }]);
  english.stop();
  persian.stop();
});

test("a page opened later gets everything", async () => {
  const first = reader("en");
  await clock.advance(5_000);
  const second = reader("en");
  await clock.advance(1_000);
  expect(second.events.map(({ name }) => name)).toEqual([null, null, null, null, null, null, null, null]);
  first.stop();
  second.stop();
});

test("the day's charges are read once for all who ask, then rest a hundred times as long as it took", async () => {
  chargesMs = 20;
  const read = async () => {
    const reading = now.charged("Asia/Tehran", clock.now());
    await clock.advance(20);
    return (await reading)?.price;
  };
  const [first, second] = [now.charged("Asia/Tehran", clock.now()), read()];
  expect([(await second) ?? 0, (await first)?.price ?? 0]).toEqual([1, 1]);
  await clock.advance(1_900);
  expect(await read()).toBe(1);
  await clock.advance(100);
  expect(await read()).toBe(2);
});
