/** The last 24 hours of every account or route, for the sparklines of a list. */

import { isoTime } from "../../platform/clock.ts";
import type { HoursCounted } from "../components/sparkline.tsx";
import type { ConsoleApi } from "./console-api.ts";

/** By account id or route name; those without messages are missing. */
export async function lastHours(api: ConsoleApi, by: "account" | "route"): Promise<ReadonlyMap<string, HoursCounted>> {
  const { rows } = await api("GET /figures/hours", { by });
  return new Map(rows.map(({ name, ...hours }) => [name, hours]));
}

export interface DayOutcomes {
  delivered: number;
  failed: number;
}

/** Of every route, by its name; those without messages are missing. */
export interface LastDay {
  hours: ReadonlyMap<string, HoursCounted>;
  outcomes: ReadonlyMap<string, DayOutcomes>;
}

const dayMs = 24 * 3_600_000;
const quarterMs = 15 * 60_000;

export async function lastDayOf(api: ConsoleApi, now: number): Promise<LastDay> {
  const end = Math.ceil((now + 1) / quarterMs) * quarterMs;
  const [hours, rows] = await Promise.all([
    lastHours(api, "route"),
    api("GET /figures", { from: isoTime(end - dayMs), to: isoTime(end), by: "route" }),
  ]);
  const outcomes = rows.map(
    ({ name, statuses: { delivered = 0, failed = 0 } }) => [name ?? "", { delivered, failed }] as const,
  );
  return { hours, outcomes: new Map(outcomes) };
}
