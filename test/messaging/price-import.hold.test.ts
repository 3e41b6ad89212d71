/** Large files of prices do not block the event loop. */
import { expect, test } from "bun:test";
import { openBilling } from "../../src/messaging/billing/billing.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { Networks } from "../../src/messaging/routing/networks.ts";
import { silentLog } from "../../src/platform/log.ts";
import { openStore } from "../../src/store/store.ts";
import { believedBy } from "../support/booking.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";

const lineCount = 50_000;

test("an import of fifty thousand prices does not block the event loop, into a new list or a full one", async () => {
  const folder = temporaryFolder();
  const clock = new ManualClock();
  const store = openStore({ folder: folder.path, now: clock.now() });
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
  // In no order; 7,919 is prime to the count.
  const prefixes = Array.from({ length: lineCount }, (_, index) => 100_000 + ((index * 7_919) % lineCount));
  const file = `prefix,price\n${prefixes.map((prefix) => `${prefix},1`).join("\n")}\n`;
  const importing = async (list: string) => {
    expect((await prices.import(list, file)).imported).toBe(lineCount);
    await prices.settled();
  };
  // In one transaction they took 600 to 1,100 ms.
  await expectNoHold((attempt) => importing(`list-${attempt}`));
  await expectNoHold(() => importing("list-0"), { before: () => clock.advance(1_000) });
  expect(prices.show("list-0").lines.length).toBeGreaterThanOrEqual(2 * lineCount);
  store.close();
  folder.remove();
}, 180_000);
