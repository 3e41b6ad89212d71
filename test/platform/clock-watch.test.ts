/** A wall clock that jumps ahead is in doubt until a better source confirms it. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ClockDoubt, ClockWatch, type TrustedTime } from "../../src/platform/clock-watch.ts";
import { ManualClock } from "../support/manual-clock.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function watched(options: { clock?: ManualClock; before?: TrustedTime } = {}) {
  const clock = options.clock ?? new ManualClock();
  const told: (ClockDoubt | null)[] = [];
  const timeService: { agreedAt: number | null } = { agreedAt: null };
  const watch = new ClockWatch({
    clock,
    before: options.before ?? null,
    agreedAt: () => timeService.agreedAt,
    changed: (doubt) => told.push(doubt),
  });
  return { clock, watch, told, timeService };
}

test("the clock is trusted while time passes, and through small corrections in either direction", async () => {
  const { clock, watch, told } = watched();
  for (let day = 0; day < 30; day += 1) {
    await clock.advance(dayMs);
    clock.jump(50 * minuteMs);
    expect(watch.doubt()).toBeNull();
    clock.jump(-20 * minuteMs);
    expect(watch.doubt()).toBeNull();
  }
  expect(told).toEqual([]);
});

test("a jump of more than an hour ahead is reported once, and is over when the clock is set back", () => {
  const { clock, watch, told } = watched();
  clock.jump(hourMs + 1);
  expect(watch.doubt()).toEqual({ aheadMs: hourMs + 1, forMs: 0 });
  expect(watch.doubt()).not.toBeNull();
  clock.jump(-hourMs - 1);
  expect(watch.doubt()).toBeNull();
  expect(told).toEqual([{ aheadMs: hourMs + 1, forMs: 0 }, null]);
});

test("a jump is trusted if the time service agrees after it, and not because it agreed before", () => {
  const { clock, watch, timeService } = watched();
  timeService.agreedAt = clock.now();
  clock.jump(3 * dayMs);
  expect(watch.doubt()).not.toBeNull();
  timeService.agreedAt = clock.now() - 1;
  expect(watch.doubt()).not.toBeNull();
  timeService.agreedAt = clock.now();
  expect(watch.doubt()).toBeNull();
});

test("a clock set back but still ahead is trusted if the time service agrees after that", async () => {
  const before = { trustedAt: new ManualClock().now() - 5 * hourMs, doubtedForMs: 0 };
  const clock = new ManualClock();
  clock.jump(dayMs);
  const { watch, timeService } = watched({ clock, before });
  expect(watch.doubt()).toMatchObject({ aheadMs: dayMs + 5 * hourMs });
  // By the wrong clock, and long before it was corrected.
  timeService.agreedAt = clock.now() - dayMs - hourMs;
  clock.jump(-dayMs);
  expect(watch.doubt()).toMatchObject({ aheadMs: 5 * hourMs });
  timeService.agreedAt = clock.now();
  expect(watch.doubt()).toBeNull();
});

test("a jump is trusted after a day, also across a restart, and when an operator confirms it", async () => {
  const { clock, watch } = watched();
  clock.jump(100 * dayMs);
  expect(watch.doubt()).not.toBeNull();
  await clock.advance(13 * hourMs);
  const again = watched({ clock, before: watch.state() });
  expect(again.watch.doubt()).toEqual({ aheadMs: expect.any(Number), forMs: 13 * hourMs });
  await clock.advance(11 * hourMs - 1);
  expect(again.watch.doubt()).not.toBeNull();
  await clock.advance(1);
  expect(again.watch.doubt()).toBeNull();
  clock.jump(2 * hourMs);
  expect(again.watch.doubt()).not.toBeNull();
  again.watch.confirm();
  expect(again.watch.doubt()).toBeNull();
});

test("at a start the last known time counts, so that a long stop is doubted until the time service agrees", () => {
  const clock = new ManualClock();
  const before = { trustedAt: clock.now() - 3 * dayMs, doubtedForMs: 0 };
  const { watch, timeService, told } = watched({ clock, before });
  expect(told).toEqual([{ aheadMs: 3 * dayMs, forMs: 0 }]);
  timeService.agreedAt = clock.now() - 2 * hourMs;
  expect(watch.doubt()).not.toBeNull();
  timeService.agreedAt = clock.now() - 10 * minuteMs;
  expect(watch.doubt()).toBeNull();
  expect(
    watched({ clock, before: { trustedAt: clock.now() - 10 * minuteMs, doubtedForMs: 0 } }).watch.doubt(),
  ).toBeNull();
});

test("a time more than an hour ahead of what has passed is never trusted without confirmation", () => {
  const step = fc.record({ jump: fc.integer({ min: -200 * hourMs, max: 200 * hourMs }), looks: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { clock, watch } = watched();
      let highest = clock.now();
      for (const { jump, looks } of steps) {
        clock.jump(jump);
        if (!looks) continue;
        if (watch.doubt() === null) highest = Math.max(highest, clock.now());
        expect(watch.doubt() === null).toBe(clock.now() <= highest);
      }
    }),
  );
});
