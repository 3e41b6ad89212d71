/** The last 24 hours of every account or route, for the sparklines of a list. */
import type { HoursCounted } from "../components/sparkline.tsx";
import type { ConsoleApi } from "./console-api.ts";

/** By account id or route name; those without messages are missing. */
export async function lastHours(api: ConsoleApi, by: "account" | "route"): Promise<ReadonlyMap<string, HoursCounted>> {
  const { rows } = await api("GET /figures/hours", { by });
  return new Map(rows.map(({ name, ...hours }) => [name, hours]));
}
