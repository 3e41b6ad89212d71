/** The first page's chart of outcomes: the minute that runs is no fall. */
import { expect, test } from "bun:test";
import { outcomesChart } from "../../src/console/places/now/outcomes-chart.ts";

const minuteMs = 60_000;
const running = 1_767_225_600_000;
const minute = (minutesAgo: number, delivered: number) => ({
  at: running - minutesAgo * minuteMs,
  delivered,
  sent: 0,
  cancelled: 0,
  failed: 0,
});
const drawn = (...minutes: ReturnType<typeof minute>[]) => {
  const { times, series } = outcomesChart(minutes, running + 5_000);
  return { count: times.length, last: times.at(-1), delivered: series[0]?.values.at(-1) };
};

test("the current minute is left out until it reaches the count of the previous one", () => {
  expect(drawn(minute(1, 400), minute(0, 399))).toEqual({ count: 59, last: running - minuteMs, delivered: 400 });
  expect(drawn(minute(1, 400), minute(0, 400))).toEqual({ count: 60, last: running, delivered: 400 });
});

test("the current minute is drawn from its first message on if the previous one had none", () => {
  expect(drawn(minute(0, 1))).toEqual({ count: 60, last: running, delivered: 1 });
  expect(drawn(minute(1, 0), minute(0, 1))).toEqual({ count: 60, last: running, delivered: 1 });
});
