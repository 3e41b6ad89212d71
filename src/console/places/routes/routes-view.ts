/** Data for the route pages, and the files made from their forms. */

import { OperatorError } from "../../../domain/operator-error.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { ListPart } from "../../components/collection.tsx";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { lastDayOf } from "../../page/last-hours.ts";
import { type AskedPart, listPart, shownAs } from "../../page/list-part.ts";
import type { PageCall } from "../../page/page.ts";
import { placedProblem, problemSentence } from "../../page/refusal.ts";
import { recentChart, recentSpanOf } from "../reports/recent-chart.ts";
import { hostOf, type ListedRoute } from "./routes.tsx";
import { routesWords } from "./words.ts";

export async function listedRoutes(api: ConsoleApi, now: number, asked: AskedPart): Promise<ListPart<ListedRoute>> {
  const [routes, overview, { hours, outcomes }] = await Promise.all([
    api("GET /routes"),
    api("GET /overview"),
    lastDayOf(api, now),
  ]);
  const running = new Map(overview.routes.map((route) => [route.name, route]));
  const part = listPart(routes, asked, (route) => `${route.name} ${hostOf(route) ?? ""}`);
  return shownAs(part, (route) => ({
    route,
    now: running.get(route.name),
    hours: hours.get(route.name),
    outcomes: outcomes.get(route.name),
  }));
}

const dayMs = 24 * 3_600_000;
const quarterMs = 15 * 60_000;

export type RouteView = Awaited<ReturnType<typeof routeView>>;

export async function routeView({ api, locale, query, params: { name } }: PageCall<{ readonly name: string }>) {
  const span = recentSpanOf(query);
  const end = Math.ceil(locale.format.now / quarterMs) * quarterMs;
  const ofDay = { from: isoTime(end - dayMs), to: isoTime(end), by: "network", route: name } as const;
  const [route, unmatched, overview, networks, chart] = await Promise.all([
    api("GET /routes/:name", { name }),
    api("GET /routes/:name/unmatched-receipts", { name }),
    api("GET /overview"),
    api("GET /figures", ofDay),
    recentChart(api, locale, { span, route: name }),
  ]);
  return {
    route,
    unmatched,
    now: overview.routes.find((one) => one.name === route.name),
    chart,
    span,
    /** What became of the messages of the last day; null for numbers of no known network. */
    networks: networks.map(({ name: network, statuses: { delivered = 0, failed = 0 } }) => ({
      network,
      delivered,
      failed,
    })),
  };
}

export async function carrierChoices(api: ConsoleApi) {
  return (await api("GET /routes/-presets")).map(({ name, title, kind, file }) => ({
    name,
    title,
    kind,
    file: JSON.stringify(withSecretsInPlace(file), null, 2),
  }));
}

/** Examples name a file on the operator's machine for each secret; in a form the secret itself is typed. */
function withSecretsInPlace(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inPlace = ([key, value]: [string, unknown]) =>
    key.endsWith("File") ? [key.slice(0, -"File".length), ""] : [key, value];
  return Object.fromEntries(Object.entries(file).map(inPlace));
}

/** Rejects what no form can represent before the operator API sees it. */
export class WrongRouteFile extends Error {
  override readonly name = "WrongRouteFile";
}

export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new WrongRouteFile();
}

/** Unknown keys of a file are reported for the file as a whole. */
export function refusedRoute(reason: unknown, locale: Locale): Record<string, string> {
  const { language } = locale;
  const say = routesWords[language];
  if (reason instanceof WrongRouteFile) return { file: say.wrongJson };
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "route_exists") return { name: say.nameTaken };
  if (reason.problems.length === 0) throw reason;
  const errors: Record<string, string> = {};
  for (const problem of reason.problems) {
    const named = problem.key.replace(/^options\./, "");
    const field = named === "name" ? named : "file";
    const text =
      field === "name" ? problemSentence(problem, locale) : placedProblem({ ...problem, key: named }, locale);
    errors[field] = errors[field] === undefined ? text : `${errors[field]} · ${text}`;
  }
  return errors;
}
