/** A chart of the last hours, day or month, for pages that show one beside other things. */
import { LocalCalendar } from "../../../domain/local-calendar.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { ChartData } from "../../components/chart-data.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { figuresChart } from "./reports-view.ts";

export const recentSpans = ["hours", "day", "month"] as const;
export type RecentSpan = (typeof recentSpans)[number];

const quarterMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const quartersShown = 24;
const daysShown = 30;

export const recentSpanOf = (query: URLSearchParams): RecentSpan =>
  recentSpans.find((one) => one === query.get("span")) ?? "hours";

/** Whole hours and days of the reader's zone. */
function spanFrom(span: RecentSpan, { format }: Locale): { from: number; step: "quarter" | "hour" | "day" } {
  const { now, zone, calendar } = format;
  const today = new LocalCalendar(zone, calendar);
  switch (span) {
    case "hours":
      return { from: (Math.floor(now / quarterMs) - quartersShown + 1) * quarterMs, step: "quarter" };
    case "day": {
      const { startsAt } = today.day(now);
      return { from: startsAt + Math.floor((now - startsAt) / hourMs) * hourMs - dayMs + hourMs, step: "hour" };
    }
    case "month":
      return { from: today.day(now - (daysShown - 1) * dayMs).startsAt, step: "day" };
  }
}

/** From the first message of the span on. */
export async function recentChart(
  api: ConsoleApi,
  locale: Locale,
  { span, ...of }: { span: RecentSpan; route?: string; account?: string },
): Promise<ChartData> {
  const { now, zone } = locale.format;
  const { from, step } = spanFrom(span, locale);
  const rows = await api("GET /figures", {
    from: isoTime(from),
    to: isoTime(now + 1),
    by: step,
    timeZone: zone,
    ...of,
  });
  const knownFrom = Date.parse(rows[0]?.at ?? "") || from;
  return { ...(await figuresChart(rows, step, { from, to: now + 1, knownFrom }, locale, null)), endsNow: true };
}
