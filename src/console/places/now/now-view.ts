/** Data for the first page: what is running, what needs attention, and today's figures. */
import type { OverviewAnswer } from "../../../operator/overview.ts";
import type { FiguresRow } from "../../../reports/protocol.ts";
import type { ChartData } from "../../components/chart-data.ts";
import { dayStart } from "../../format/calendar.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import type { ViewerReports } from "../../page/viewer.ts";
import type { NowView, QueueNow } from "./now.tsx";

const minuteMs = 60_000;
const minutesShown = 60;
const routesShown = 20;
const dayMs = 24 * 3_600_000;

export interface NowSources {
  api: ConsoleApi;
  reports: ViewerReports;
  locale: Locale;
  signal?: AbortSignal;
}

/** For the reader's current day. */
export interface TodayFigures {
  accepted: number;
  /** Until the same time of day. */
  acceptedYesterday: number;
  delivered: number;
  failed: number;
}

export async function nowView({ api, reports, locale, signal }: NowSources): Promise<NowView> {
  const [overview, today] = await Promise.all([
    api("GET /overview"),
    todayFigures(reports, locale.format.zone, locale.format.now, signal),
  ]);
  return nowViewOf(overview, today, locale);
}

export function nowViewOf(overview: OverviewAnswer, today: TodayFigures, { format }: Locale): NowView {
  const queue = overview.queue.map(queueNow(format.now));
  const oldest = queue.flatMap(({ oldestMs }) => oldestMs ?? []);
  const final = today.delivered + today.failed;
  const { carrier, account, message } = overview.begun;
  return {
    needs: overview.attention,
    acceptedToday: today.accepted,
    acceptedYesterday: today.acceptedYesterday,
    deliveredRatio: final === 0 ? null : today.delivered / final,
    failedToday: today.failed,
    waiting: queue.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestWaitingMs: oldest.length === 0 ? null : Math.max(...oldest),
    outcomes: outcomesChart(overview.outcomes, format.now),
    queue,
    ...routesNow(overview.routes),
    begin: carrier && account && message ? null : overview.begun,
  };
}

const graveFirst: readonly NowView["routes"][number]["state"][] = ["down", "up", "off"];

/** The page is redrawn every second, so it only has those that need attention or are busiest. */
function routesNow(routes: NowView["routes"]): Pick<NowView, "routes" | "moreRoutes"> {
  const gravity = ({ state }: NowView["routes"][number]) => graveFirst.indexOf(state);
  const byNeed = routes.toSorted((a, b) => gravity(a) - gravity(b) || b.waiting - a.waiting);
  const shown = new Set(byNeed.slice(0, routesShown));
  return { routes: routes.filter((route) => shown.has(route)), moreRoutes: routes.length - shown.size };
}

type Queue = OverviewAnswer["queue"][number];

const queueNow =
  (now: number) =>
  ({ class: name, waiting, oldestDueAt }: Queue): QueueNow => {
    const lateMs = oldestDueAt === null ? 0 : now - Date.parse(oldestDueAt);
    // Messages due later are not waiting for anything.
    return { class: name, waiting, oldestMs: lateMs > 0 ? lateMs : null };
  };

/** Sixty minutes; those before the start of the process are unknown. */
function outcomesChart(minutes: OverviewAnswer["outcomes"], now: number): ChartData {
  const last = Math.floor(now / minuteMs) * minuteMs;
  const times = Array.from({ length: minutesShown }, (_, index) => last - (minutesShown - 1 - index) * minuteMs);
  const byTime = new Map(minutes.map((minute) => [minute.at, minute]));
  const values = (name: "delivered" | "sent" | "failed") => times.map((at) => outcomeOf(byTime.get(at), name));
  return {
    times,
    step: "minute",
    series: [
      { outcome: "delivered", values: values("delivered") },
      { outcome: "sent", values: values("sent") },
      { outcome: "failed", values: values("failed") },
    ],
  };
}

/** Receipts for earlier minutes can subtract more than a minute hands over. */
function outcomeOf(minute: OverviewAnswer["outcomes"][number] | undefined, name: "delivered" | "sent" | "failed") {
  return minute === undefined ? null : Math.max(0, minute[name]);
}

/** Figures are kept per quarter of an hour, so yesterday's end with the current quarter. */
export async function todayFigures(
  reports: ViewerReports,
  timeZone: string,
  now: number,
  signal?: AbortSignal,
): Promise<TodayFigures> {
  const from = dayStart(now, timeZone);
  const yesterday = dayStart(from - dayMs / 2, timeZone);
  const asked = { by: [], period: "all", timeZone, calendar: "gregory", filter: {} } as const;
  const [today, before] = await Promise.all([
    reports.figures({ ...asked, from, to: now + dayMs }, signal),
    reports.figures({ ...asked, from: yesterday, to: yesterday + (now - from) }, signal),
  ]);
  return {
    accepted: messagesIn(today),
    acceptedYesterday: messagesIn(before),
    delivered: messagesIn(today, "delivered"),
    failed: messagesIn(today, "failed"),
  };
}

function messagesIn(rows: readonly FiguresRow[], status?: "delivered" | "failed"): number {
  return rows.reduce((sum, row) => sum + (status === undefined ? row.messages : (row.statuses[status] ?? 0)), 0);
}
