import { afterEach, expect, test } from "bun:test";
import { frequentBackup } from "../../src/platform/frequent-backup.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

const minute = 60_000;
let stop = async () => {};
afterEach(() => stop());

/** A backup that takes `tookMs`; the times at which one started, in minutes. */
function every(everyMs: number, tookMs: number, newestAt: number | null = null) {
  const clock = new ManualClock();
  const startedAt = clock.monotonic();
  const began: number[] = [];
  const backup = {
    async run() {
      began.push((clock.monotonic() - startedAt) / minute);
      await new Promise<void>((resolve) => clock.after(tookMs, resolve));
    },
    stop: () => Promise.resolve(),
    newestAt: () => (newestAt === null ? null : clock.now() + newestAt),
  };
  const frequent = frequentBackup({ backup, everyMs, clock });
  stop = frequent.stop;
  return { clock, began, frequent };
}

test("a frequent copy is made at once if there is none, and then at each interval", async () => {
  const { clock, began } = every(15 * minute, 0);
  await clock.advance(46 * minute);
  expect(began).toEqual([0, 15, 30, 45]);
});

test("the interval continues after a restart, and a wrong clock delays it by one interval at most", async () => {
  const restarted = every(15 * minute, 0, -10 * minute);
  await restarted.clock.advance(6 * minute);
  expect(restarted.began).toEqual([5]);
  await stop();
  const ahead = every(15 * minute, 0, 24 * 60 * minute);
  await ahead.clock.advance(16 * minute);
  expect(ahead.began).toEqual([15]);
});

test("a copy that takes more than a tenth of the interval stretches it", async () => {
  const { clock, began, frequent } = every(15 * minute, 3 * minute);
  await clock.advance(70 * minute);
  expect(began).toEqual([0, 33, 66]);
  expect(frequent.intervalMs()).toBe(30 * minute);
});

test("no copy starts after a stop", async () => {
  const { clock, began, frequent } = every(15 * minute, 0);
  await clock.advance(minute);
  await frequent.stop();
  await clock.advance(60 * minute);
  await settleLoop();
  expect(began).toEqual([0]);
});
