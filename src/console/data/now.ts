/** What the first page shows: what runs, what needs a look, and the figures of today. */
import type { OverviewAnswer } from "../../operator/overview.ts";
import type { FiguresRow } from "../../reports/protocol.ts";
import type { ChartData } from "../components/chart.tsx";
import { dayStart } from "../format/calendar.ts";
import type { Locale } from "../locale.ts";
import type { NowView, QueueNow } from "../pages/now.tsx";
import type { ConsoleApi } from "./console-api.ts";
import type { ViewerReports } from "./viewer.ts";

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

/** Of the reader's day. */
export interface TodayFigures {
  accepted: number;
  /** Up to this time of day. */
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

export function nowViewOf(overview: OverviewAnswer, today: TodayFigures, { words, format }: Locale): NowView {
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
    outcomes: outcomesChart(overview.outcomes, format.now, words.now.series),
    queue,
    ...routesNow(overview.routes),
    begin: carrier && account && message ? null : overview.begun,
  };
}

const graveFirst: readonly NowView["routes"][number]["state"][] = ["down", "up", "off"];

/** A page is drawn anew each second for whoever reads it, so it holds those that need a look or have most to do. */
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
    // What is only due later does not wait for anything.
    return { class: name, waiting, oldestMs: lateMs > 0 ? lateMs : null };
  };

/** Sixty minutes; those of before the start of the process are not known. */
function outcomesChart(
  minutes: OverviewAnswer["outcomes"],
  now: number,
  names: Locale["words"]["now"]["series"],
): ChartData {
  const last = Math.floor(now / minuteMs) * minuteMs;
  const times = Array.from({ length: minutesShown }, (_, index) => last - (minutesShown - 1 - index) * minuteMs);
  const byTime = new Map(minutes.map((minute) => [minute.at, minute]));
  const values = (name: "delivered" | "sent" | "failed") => times.map((at) => outcomeOf(byTime.get(at), name));
  return {
    times,
    step: "minute",
    series: [
      { name: names.delivered, values: values("delivered"), line: "solid", colour: 1 },
      { name: names.sent, values: values("sent"), line: "dashed", colour: 3 },
      { name: names.failed, values: values("failed"), line: "dotted", colour: 2 },
    ],
  };
}

/** Receipts of earlier minutes can take more away than a minute hands over. */
function outcomeOf(minute: OverviewAnswer["outcomes"][number] | undefined, name: "delivered" | "sent" | "failed") {
  return minute === undefined ? null : Math.max(0, minute[name]);
}

/** Figures are kept by quarters of an hour, so that of yesterday ends with the present one. */
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
