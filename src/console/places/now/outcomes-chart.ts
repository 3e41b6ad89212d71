/** The first page's chart: outcomes of the minutes of the last hour. */
import type { OverviewAnswer } from "../../../operator/overview.ts";
import type { ChartData } from "../../components/chart-data.ts";

const minuteMs = 60_000;
const minutesShown = 60;

/**
 * The last hour; minutes before the start of the process are unknown. The minute that runs is left out until it has
 * reached the one before: drawn from its first second on, it would look as if messages had stopped.
 */
export function outcomesChart(minutes: OverviewAnswer["outcomes"], now: number): ChartData {
  const running = Math.floor(now / minuteMs) * minuteMs;
  const byTime = new Map(minutes.map((minute) => [minute.at, minute]));
  const count =
    handledIn(byTime.get(running)) < handledIn(byTime.get(running - minuteMs)) ? minutesShown - 1 : minutesShown;
  const times = Array.from({ length: count }, (_, index) => running - (minutesShown - 1 - index) * minuteMs);
  return {
    times,
    step: "minute",
    endsNow: true,
    series: minuteOutcomes.map((outcome) => ({
      outcome,
      values: times.map((at) => outcomeOf(byTime.get(at), outcome)),
    })),
  };
}

const handledIn = (minute: OverviewAnswer["outcomes"][number] | undefined): number =>
  minuteOutcomes.reduce((sum, outcome) => sum + (outcomeOf(minute, outcome) ?? 0), 0);

const minuteOutcomes = ["delivered", "sent", "cancelled", "failed"] as const;

/** Receipts for earlier minutes can subtract more than a minute hands over. */
function outcomeOf(
  minute: OverviewAnswer["outcomes"][number] | undefined,
  outcome: (typeof minuteOutcomes)[number],
): number | null {
  return minute === undefined ? null : Math.max(0, minute[outcome]);
}
