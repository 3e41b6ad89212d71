/** Conditions of traffic: from the figures of a real store. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ConditionCode, findCondition } from "../../src/conditions/conditions.ts";
import { type MessageState, messageClasses } from "../../src/domain/message.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { ReadThread } from "../../src/reports/read-thread.ts";
import { Reports } from "../../src/reports/reports.ts";
import { RollupCounts } from "../../src/store/rollup-counts.ts";
import type { Store } from "../../src/store/store.ts";
import { wellAt } from "../support/condition-facts.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let store: Store;
let thread: ReadThread;
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock();
  store = openMigratedStore({ folder: folder.path, now: clock.now() });
  thread = new ReadThread(store.path, systemClock);
});
afterEach(async () => {
  await thread.stop();
  store.close();
  folder.remove();
});

async function found(code: ConditionCode): Promise<string[]> {
  const reports = new Reports(thread);
  const facts = wellAt(clock.now(), {
    figures: (request) => reports.figures(request),
    routeName: (id) => `route-${id}`,
    accountName: () => "Clinic",
  });
  return (await findCondition(code, facts)).map(({ words }) => words);
}

/** Messages accepted this long ago, as they are counted. */
async function count(
  agoMs: number,
  messages: number,
  state: MessageState,
  where: { routeId?: number; accountId?: number } = {},
) {
  const submittedAt = clock.now() - agoMs;
  const ended = { finalAt: submittedAt + 4_000, errorCode: state === "failed" ? ("undeliverable" as const) : null };
  const sent = { senderId: 1, class: messageClasses.bulk, network: 0, partCount: 1, submittedAt, sendAt: null };
  const counts = new RollupCounts();
  for (let each = 0; each < messages; each += 1) {
    counts.add({ accountId: 1, routeId: 1, state, ...sent, ...ended, ...where });
  }
  await store.write(({ rollups }) => rollups.acceptedRun(counts));
}

test("a route that delivers much less than in the week before is found, once receipts could have arrived", async () => {
  await count(3 * dayMs, 900, "delivered");
  await count(3 * dayMs, 100, "failed");
  expect(await found("DeliveryRateFell")).toEqual([]);
  await count(2 * hourMs, 40, "delivered");
  await count(2 * hourMs, 60, "failed");
  expect(await found("DeliveryRateFell")).toEqual([
    "Route route-1 delivers 40 % of its messages, 90 % in the week before",
  ]);
});

test("a route is not found for recent messages, for too few of them, or while it delivers as well as before", async () => {
  await count(3 * dayMs, 900, "delivered");
  await count(30 * 60_000, 500, "submitted");
  await count(2 * hourMs, 20, "failed");
  await count(2 * hourMs, 100, "delivered", { routeId: 2 });
  expect(await found("DeliveryRateFell")).toEqual([]);
});

test("an account that sends five times its highest hour is found, and one that is used to such hours is not", async () => {
  await count(2 * dayMs, 700, "delivered");
  await count(30 * 60_000, 4_000, "submitted");
  await count(3 * dayMs, 5_000, "delivered", { accountId: 2 });
  await count(30 * 60_000, 6_000, "submitted", { accountId: 2 });
  await count(30 * 60_000, 900, "submitted", { accountId: 3 });
  expect(await found("TrafficJumped")).toEqual([
    "Account acc_1 (Clinic) sent 4000 messages in an hour; the highest hour of the week before had 700",
  ]);
});
