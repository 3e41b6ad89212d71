/** Data for the first page: what is running, what needs attention, and today's figures. */
import { roleMay } from "../../../domain/roles.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { FiguresRow } from "../../../reports/protocol.ts";
import { dayStart } from "../../format/calendar.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { lastDayOf } from "../../page/last-hours.ts";
import type { Viewer, ViewerReports } from "../../page/viewer.ts";
import type { Charged, NowView, TodayFigures } from "./now.tsx";
import { rightNow } from "./right-now.tsx";

const dayMs = 24 * 3_600_000;

export interface NowSources {
  api: ConsoleApi;
  reports: ViewerReports;
  locale: Locale;
  viewer: Pick<Viewer, "role">;
  signal?: AbortSignal;
  charged(zone: string, now: number): Promise<Charged | null>;
}

export async function nowView({ api, reports, locale, signal, viewer, ...read }: NowSources): Promise<NowView> {
  const { zone, now } = locale.format;
  const charged = async () => (roleMay(viewer.role, "prices.read") ? read.charged(zone, now) : null);
  const [overview, today, lastDay, latest] = await Promise.all([
    api("GET /overview"),
    todayFigures({ reports, charged, zone, now }, signal),
    lastDayOf(api, now),
    rightNow(api, { hasTexts: false }),
  ]);
  return { overview, today, lastDay, now: latest };
}

interface TodaySources {
  reports: ViewerReports;
  charged(): Promise<Charged | null>;
  zone: string;
  now: number;
}

export async function chargedToday(api: ConsoleApi, timeZone: string, now: number): Promise<Charged | null> {
  const from = dayStart(now, timeZone);
  const day = {
    from: isoTime(from),
    to: isoTime(dayStart(from + 1.5 * dayMs, timeZone)),
    timeZone,
    by: "all",
  } as const;
  const { currency, rows } = await api("GET /charges", day);
  return rows[0] === undefined ? null : { ...rows[0], currency, at: now };
}

/** Figures are kept per quarter of an hour, so yesterday's end with the current quarter. */
export async function todayFigures(
  { reports, charged, zone: timeZone, now }: TodaySources,
  signal?: AbortSignal,
): Promise<TodayFigures> {
  const from = dayStart(now, timeZone);
  const yesterday = dayStart(from - dayMs / 2, timeZone);
  const asked = { by: [], period: "all", timeZone, calendar: "gregory", filter: {} } as const;
  const [money, today, before] = await Promise.all([
    charged(),
    reports.figures({ ...asked, from, to: now + dayMs }, signal),
    reports.figures({ ...asked, from: yesterday, to: yesterday + (now - from) }, signal),
  ]);
  return {
    accepted: messagesIn(today),
    acceptedYesterday: messagesIn(before),
    delivered: messagesIn(today, "delivered"),
    failed: messagesIn(today, "failed"),
    deliveryMedianMs: today[0]?.deliveryMedianMs ?? null,
    deliveryP95Ms: today[0]?.deliveryP95Ms ?? null,
    charged: money,
  };
}

function messagesIn(rows: readonly FiguresRow[], status?: "delivered" | "failed"): number {
  return rows.reduce((sum, row) => sum + (status === undefined ? row.messages : (row.statuses[status] ?? 0)), 0);
}
