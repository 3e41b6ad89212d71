/** A chart's scale: round values on the vertical axis, and which moments are labelled below. */
import { dayStart } from "../format/calendar.ts";
import type { Format } from "../format/format.ts";

const lines = 3;
const roundSteps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** From zero up, ascending; the last is above the highest value. */
export function axisValues(highest: number): number[] {
  const rough = Math.max(highest, 1) / (lines - 0.1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = roundSteps.find((one) => one * power >= rough) ?? 10;
  const step = Math.max(1, Math.ceil(factor * power));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}

export type ChartStep = "minute" | "quarter" | "hour" | "day" | "month";

/** How many moments can be labelled without touching each other; clocks are wider than days. */
const namedMax: Readonly<Record<ChartStep, number>> = { minute: 12, quarter: 8, hour: 12, day: 12, month: 12 };
/** On a phone, where a chart has a drawing of its own. */
const namedNarrow: typeof namedMax = { minute: 5, quarter: 5, hour: 5, day: 7, month: 4 };
const spacings: Readonly<Record<ChartStep, readonly number[]>> = {
  minute: [2, 5, 10, 15, 30],
  quarter: [4, 8, 16],
  hour: [1, 3, 6, 12],
  day: [1, 3, 7],
  month: [1],
};

interface Named {
  index: number;
  text: string;
  /** Left out on a phone, where the labels would touch each other. */
  isSpare: boolean;
}

/**
 * At least three labels where there are as many moments: the first, then at even intervals, with the month where a new
 * one begins.
 */
export function namedMoments(
  times: readonly number[],
  step: ChartStep,
  format: Format,
  { isNarrow = false } = {},
): Named[] {
  const most = (isNarrow ? namedNarrow : namedMax)[step];
  const spacing = spacings[step].find((one) => times.length / one <= most) ?? Math.ceil(times.length / most);
  const ofClock = step === "minute" ? 60_000 : step === "quarter" ? 15 * 60_000 : null;
  // Whole hours of the reader's zone.
  const begun = ofClock === null || times[0] === undefined ? 0 : dayStart(times[0], format.zone);
  const isNamed = (at: number, index: number) =>
    (ofClock === null ? index : Math.round((at - begun) / ofClock)) % spacing === 0;
  let day: number | null = null;
  let monthAt = 0;
  const named = times.flatMap((at, index) => (isNamed(at, index) ? [{ index, at }] : []));
  const texts = named.map(({ at }, place) => {
    if (step === "month") return format.month(at);
    if (step !== "day") return format.clock(at);
    const isOfMonth = day !== null && format.areOfOneMonth(at, day);
    day = at;
    if (isOfMonth) return format.dayNumber(at);
    monthAt = place;
    return format.dayOfMonth(at);
  });
  const isOdd = (place: number) => (place - monthAt) % 2 !== 0;
  return named.map(({ index }, place) => ({
    index,
    text: texts[place] ?? "",
    isSpare: !isNarrow && named.length > spareFrom && (place === 0 ? false : isOdd(place) || (place === 1 && isOdd(0))),
  }));
}

/** As many labels fit on a phone. */
const spareFrom = 3;
