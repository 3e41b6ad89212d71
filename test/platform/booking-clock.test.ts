/** Money and quotas are booked under a time that never goes back, and that stops while the clock is in doubt. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BookingClock } from "../../src/platform/booking-clock.ts";
import { ClockWatch } from "../../src/platform/clock-watch.ts";
import { ManualClock } from "../support/manual-clock.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function opened(clock = new ManualClock(), before: number | null = null) {
  const timeService: { agreedAt: number | null } = { agreedAt: null };
  const agreedAt = () => timeService.agreedAt;
  const watch = new ClockWatch({ clock, agreedAt, before: null, changed: () => {} });
  return { clock, watch, timeService, booking: new BookingClock({ clock, watch, before }) };
}

test("the booking clock follows the wall clock, even through small corrections", async () => {
  const { clock, booking } = opened();
  for (let hour = 0; hour < 50; hour += 1) {
    await clock.advance(hourMs);
    expect(booking.moment()).toEqual({ at: clock.now(), bookedAt: clock.now() });
    clock.jump(-30_000);
    expect(booking.moment()).toEqual({ at: clock.now(), bookedAt: clock.now() + 30_000 });
    expect(booking.aheadMs()).toBe(30_000);
    await clock.advance(minuteMs);
    expect(booking.now()).toBe(clock.now());
  }
});

test("the booking clock stands still after a jump ahead until the time is set back, agreed, confirmed or a day old", async () => {
  const ends: Record<string, (all: ReturnType<typeof opened>) => unknown> = {
    "set back": ({ clock }) => clock.jump(-3 * dayMs),
    "agreed with": ({ clock, timeService }) => {
      timeService.agreedAt = clock.now();
    },
    confirmed: ({ watch, booking }) => [watch.confirm(), booking.confirm()],
    "stood for a day": ({ clock }) => clock.advance(dayMs),
  };
  for (const [name, end] of Object.entries(ends)) {
    const all = opened();
    const { clock, booking } = all;
    await clock.advance(10 * minuteMs);
    const last = booking.now();
    clock.jump(3 * dayMs);
    for (let minute = 0; minute < 30; minute += 1) {
      expect(booking.moment()).toEqual({ at: clock.now(), bookedAt: last });
      expect(booking.aheadMs()).toBe(0);
      await clock.advance(minuteMs);
    }
    await end(all);
    expect([name, booking.now()]).toEqual([name, clock.now()]);
  }
});

test("the booking clock sees a jump within a second of a look, and books nothing in one already over", () => {
  const { clock, booking } = opened();
  const last = booking.now();
  clock.jump(hourMs + 1_001);
  expect(booking.now()).toBe(last);
  clock.jump(-hourMs - 1_001);
  expect(booking.now()).toBe(last);

  // The first reading has the wrong time, and every later one is right.
  let reads = 0;
  const flickering = { now: () => clock.now() + (reads++ === 0 ? dayMs : 0), monotonic: () => clock.monotonic() };
  const watch = new ClockWatch({ clock, agreedAt: () => null, before: null, changed: () => {} });
  expect(new BookingClock({ clock: flickering, watch, before: last }).now()).toBe(last);
});

test("the booking clock continues after a restart, and keeps the last trusted time while the clock is doubted", () => {
  const clock = new ManualClock();
  expect(opened(clock, clock.now() + 5 * hourMs).booking.now()).toBe(clock.now() + 5 * hourMs);
  const trustedAt = clock.now() - 2 * dayMs;
  const agreedAt = () => null;
  const watch = new ClockWatch({ clock, agreedAt, before: { trustedAt, doubtedForMs: 0 }, changed: () => {} });
  expect(new BookingClock({ clock, watch, before: null }).now()).toBe(trustedAt);
  expect(new BookingClock({ clock, watch, before: trustedAt + minuteMs }).now()).toBe(trustedAt + minuteMs);
});

test("the booking clock follows a clock behind it once that is confirmed", () => {
  const { clock, watch, booking } = opened();
  booking.now();
  clock.jump(-10 * dayMs);
  expect(booking.aheadMs()).toBe(10 * dayMs);
  watch.confirm();
  booking.confirm();
  expect([booking.now(), booking.aheadMs()]).toEqual([clock.now(), 0]);
});

test("the booking clock never goes back, and never reaches a time that was not trusted", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 2 * hourMs }) }),
    fc.record({ do: fc.constant("jump" as const), ms: fc.integer({ min: -40 * dayMs, max: 40 * dayMs }) }),
    fc.record({ do: fc.constant("jump" as const), ms: fc.integer({ min: -2 * hourMs, max: 2 * hourMs }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      const { clock, watch, booking } = opened();
      let last = booking.now();
      let believed = last;
      for (const one of steps) {
        if (one.do === "jump") clock.jump(one.ms);
        else await clock.advance(one.ms);
        const now = booking.now();
        const doubted = watch.doubt() !== null;
        if (!doubted) believed = Math.max(believed, clock.now());
        expect(now).toBeGreaterThanOrEqual(last);
        expect(now).toBeLessThanOrEqual(believed);
        if (doubted) expect(now).toBe(last);
        last = now;
      }
    }),
    { numRuns: 200 },
  );
});
