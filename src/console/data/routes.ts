/** What the pages of routes show, and the files that their forms make. */

import { OperatorError } from "../../domain/operator-error.ts";
import type { RouteAnswer } from "../../operator/answers.ts";
import type { ListPart } from "../components/collection.tsx";
import { parseWholeNumber } from "../format/input.ts";
import type { Locale } from "../locale.ts";
import { placedProblem, problemSentence } from "../pages/refusal.ts";
import type { RouteView } from "../pages/route.tsx";
import type { RouteFields, RouteListItem } from "../pages/routes.tsx";
import type { ConsoleApi } from "./console-api.ts";
import { type AskedPart, listPart, shownAs } from "./list-part.ts";

function stateOf({ enabled, up }: Pick<RouteAnswer, "enabled" | "up">): RouteListItem["state"] {
  if (!enabled) return "off";
  return up ? "up" : "down";
}

/** Of a connection: an SMPP bind, an HTTP endpoint, the simulator. */
const upStates: readonly string[] = ["bound", "up"];

const textIn = (options: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = options[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
};

/** Where the carrier is; null for the simulator. */
function hostOf({ options }: Pick<RouteAnswer, "options">): string | null {
  const [host, port] = [textIn(options, "host"), textIn(options, "port")];
  if (host !== null) return port === null ? host : `${host}:${port}`;
  return textIn(options, "url") ?? textIn(options, "preset");
}

export async function routeItems(api: ConsoleApi, asked: AskedPart): Promise<ListPart<RouteListItem>> {
  const [routes, overview] = await Promise.all([api("GET /routes"), api("GET /overview")]);
  const now = new Map(overview.routes.map((route) => [route.name, route]));
  const part = listPart(routes, asked, (route) => `${route.name} ${hostOf(route) ?? ""}`);
  return shownAs(part, (route) => ({
    name: route.name,
    kind: route.kind,
    state: stateOf(route),
    isDraining: route.drainingSince !== null,
    host: hostOf(route),
    partsPerSecond: now.get(route.name)?.partsPerSecond ?? 0,
    partsPerSecondMax: now.get(route.name)?.partsPerSecondMax ?? null,
    waiting: now.get(route.name)?.waiting ?? 0,
    warnings: route.state?.warningReasons ?? [],
  }));
}

export async function routeView(api: ConsoleApi, name: string): Promise<RouteView> {
  const [route, unmatched, overview] = await Promise.all([
    api("GET /routes/:name", { name }),
    api("GET /routes/:name/unmatched-receipts", { name }),
    api("GET /overview"),
  ]);
  const now = overview.routes.find((one) => one.name === route.name);
  const links = route.state?.links ?? [];
  const [broken] = links.flatMap(({ since, lastReason: reason }) => (reason === null ? [] : [{ since, reason }]));
  return {
    name: route.name,
    kind: route.kind,
    state: stateOf(route),
    drainingSince: route.drainingSince === null ? null : Date.parse(route.drainingSince),
    down:
      route.enabled && !route.up && broken !== undefined
        ? { since: Date.parse(broken.since), reason: broken.reason, waiting: now?.waiting ?? 0 }
        : null,
    warnings: route.state?.warningReasons ?? [],
    partsPerSecond: now?.partsPerSecond ?? 0,
    partsPerSecondMax: now?.partsPerSecondMax ?? null,
    unanswered: route.state?.unanswered ?? 0,
    window: route.state?.window ?? 0,
    deliveredRatio: route.figures.day.deliveryRate,
    receiptMedianMs: route.figures.day.receiptMedianMs,
    binds: links.map(({ name: link, state, since, lastReason }) => ({
      name: link,
      state: upStates.includes(state) ? "up" : "down",
      stateWord: state,
      since: Date.parse(since),
      lastReason: upStates.includes(state) ? null : lastReason,
    })),
    refusals: route.figures.refusals,
    unmatched: unmatched.map(({ providerId, status, receivedAt }) => ({
      providerId,
      status,
      receivedAt: Date.parse(receivedAt),
    })),
    host: hostOf(route),
    systemId: textIn(route.options, "systemId"),
    isIdFormFixed: !["auto", null].includes(textIn(route.options, "receiptId")),
    callbacks: route.callbacks,
    options: JSON.stringify(route.options, null, 2),
  };
}

export async function carrierChoices(api: ConsoleApi) {
  return (await api("GET /routes/-presets")).map(({ name, title, kind, needs, file }) => ({
    name,
    title,
    kind,
    needs,
    file: JSON.stringify(withSecretsInPlace(file), null, 2),
  }));
}

/** Examples name a file of the operator's machine for each secret; in a form the secret itself is typed. */
function withSecretsInPlace(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inPlace = ([key, value]: [string, unknown]) =>
    key.endsWith("File") ? [key.slice(0, -"File".length), ""] : [key, value];
  return Object.fromEntries(Object.entries(file).map(inPlace));
}

/** What no form can hold is refused before the operator API sees it. */
export class WrongRouteFile extends Error {
  override readonly name = "WrongRouteFile";
}

/** The route's file as the form says it. @throws WrongRouteFile where it is no JSON object */
export function routeFile(fields: RouteFields): Record<string, unknown> {
  if (fields.kind === "simulator") return {};
  if (fields.kind === "http") return jsonObject(fields.file);
  const { host, port, systemId, password, partsPerSecond, tls } = fields;
  const number = (text: string) => parseWholeNumber(text) ?? text;
  return {
    host,
    port: number(port),
    systemId,
    password,
    ...(partsPerSecond !== "" && { partsPerSecond: number(partsPerSecond) }),
    ...(tls && { tls: true }),
  };
}

export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw new WrongRouteFile();
}

/** The wrong keys of a file stand at their fields, or at the file as a whole. */
export function refusedRoute(reason: unknown, kind: RouteFields["kind"], locale: Locale): Record<string, string> {
  const { words } = locale;
  if (reason instanceof WrongRouteFile) return { file: words.routes.wrongJson };
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "route_exists") return { name: words.routes.nameTaken };
  if (reason.problems.length === 0) throw reason;
  const smppFields = ["name", "host", "port", "systemId", "password", "partsPerSecond"];
  const errors: Record<string, string> = {};
  for (const problem of reason.problems) {
    const named = problem.key.replace(/^options\./, "");
    const isField = named === "name" || (kind === "smpp" && smppFields.includes(named));
    const field = isField ? named : "file";
    const text = isField ? problemSentence(problem, locale) : placedProblem({ ...problem, key: named }, locale);
    errors[field] = errors[field] === undefined ? text : `${errors[field]} · ${text}`;
  }
  return errors;
}
