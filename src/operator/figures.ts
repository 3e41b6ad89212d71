/** `/figures`: the number of messages, their outcome and their delivery time over a period, grouped as requested. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { className } from "../domain/message.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { isoTime } from "../platform/clock.ts";
import type { FigureDimension, FiguresRequest, FiguresRow } from "../reports/protocol.ts";
import { presentTimeZone } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { reads } from "./operation.ts";
import { oneOf, timeSchema } from "./schemas.ts";

const groupings = ["account", "sender", "route", "class", "network", "quarter", "hour", "day", "month", "all"] as const;
export type FiguresBy = (typeof groupings)[number];

const dimensions: Partial<Record<FiguresBy, FigureDimension>> = {
  account: "accountId",
  sender: "senderId",
  route: "routeId",
  class: "class",
  network: "network",
};

const figuresFields = {
  /** The period of acceptance; includes quarters of an hour that begin in it. */
  from: timeSchema,
  to: timeSchema,
  by: oneOf(groupings),
  /** The time zone in which days begin. */
  timeZone: t.Optional(t.String({ maxLength: 64 })),
  calendar: t.Optional(oneOf(["gregory", "persian"])),
  account: t.Optional(t.String()),
  /** One of the account's senders. */
  sender: t.Optional(t.String()),
  route: t.Optional(t.String()),
};

type FiguresQuery = Static<TObject<typeof figuresFields>>;

type NamingDeps = Pick<OperatorDeps, "directory" | "routingPlans">;

export type FiguresAnswer = ReturnType<typeof figuresAnswer>;

function figuresAnswer(row: FiguresRow, by: FiguresBy, deps: NamingDeps) {
  return {
    /** For the account, sender, route, class or network; the period's for a period; null if unknown. */
    name: nameOf(row, by, deps),
    /** Of an account. */
    id: row.accountId === undefined ? null : accountIdText(row.accountId),
    /** The first quarter of an hour with messages. */
    at: isoTime(row.startsAt),
    messages: row.messages,
    parts: row.parts,
    statuses: row.statuses,
    errors: row.errors,
    /** Measured from when messages were due; null if none was delivered. */
    deliveryMedianMs: row.deliveryMedianMs,
    deliveryP95Ms: row.deliveryP95Ms,
  };
}

function nameOf(row: FiguresRow, by: FiguresBy, { directory, routingPlans }: NamingDeps): string | null {
  switch (by) {
    case "account":
      return directory.account(row.accountId ?? 0)?.name ?? null;
    case "sender":
      return directory.senderById(row.senderId ?? 0)?.sender ?? null;
    case "route":
      return directory.routeById(row.routeId ?? 0)?.name ?? null;
    case "class":
      return row.class === undefined ? null : className(row.class);
    case "network":
      return row.network === undefined || row.network === 0 ? null : routingPlans.networks.nameOf(row.network);
    default:
      return row.period;
  }
}

function requestOf(query: FiguresQuery, directory: OperatorDeps["directory"]): FiguresRequest {
  const { by, timeZone = "UTC", calendar = "gregory" } = query;
  presentTimeZone(timeZone);
  const dimension = dimensions[by];
  const accountId = listedAccountOf(query.account, directory);
  return {
    from: Date.parse(query.from),
    to: Date.parse(query.to),
    by: dimension === undefined ? [] : [dimension],
    period: by === "quarter" || by === "hour" || by === "day" || by === "month" ? by : "all",
    timeZone,
    calendar,
    filter: {
      accountId,
      senderId: senderIdOf(query.sender, accountId, directory),
      routeId: routeIdOf(query, directory),
    },
  };
}

function senderIdOf(sender: string | undefined, accountId: number | undefined, directory: OperatorDeps["directory"]) {
  if (sender === undefined) return undefined;
  if (accountId === undefined) throw invalidRequest([problemOf("sender", "needs_account", {})]);
  const found = directory.sender(accountId, sender);
  if (found === null) throw new OperatorError("sender_not_found");
  return found.id;
}

function routeIdOf({ route }: FiguresQuery, directory: OperatorDeps["directory"]): number | undefined {
  if (route === undefined) return undefined;
  const found = directory.routes().find(({ name }) => name === route);
  if (found === undefined) throw new OperatorError("route_not_found");
  return found.id;
}

const hourMs = 3_600_000;
const hoursShown = 24;

/** Of the last 24 hours, in whole hours; the current one is the last. */
async function hoursAnswer({ reports, directory, clock }: OperatorDeps, by: "account" | "route", signal: AbortSignal) {
  const from = Math.floor(clock.now() / hourMs) * hourMs - (hoursShown - 1) * hourMs;
  const dimension = by === "account" ? "accountId" : "routeId";
  const rows = await reports.hours({ by: dimension, from, hours: hoursShown }, signal);
  const nameIn = (id: number) =>
    by === "account" ? directory.account(id) && accountIdText(id) : directory.routeById(id)?.name;
  return {
    /** The start of the first hour. */
    from: isoTime(from),
    /**
     * Those that had messages, by account id or route name; messages and failed ones by the hour in which they were
     * accepted, oldest first.
     */
    rows: rows.flatMap(({ id, messages, failed }) => {
      const name = nameIn(id) ?? null;
      return name === null ? [] : [{ name, messages, failed }];
    }),
  };
}

export const figuresAdmin = {
  "GET /figures/hours": reads({
    may: "reports.read",
    input: { by: oneOf(["account", "route"]) },
    run: (deps, { by }, { signal }) => hoursAnswer(deps, by, signal),
  }),
  "GET /figures": reads({
    may: "usage.read",
    scope: "account",
    input: figuresFields,
    run: async (deps, query, { signal }) => {
      const rows = await deps.reports.figures(requestOf(query, deps.directory), signal);
      return rows.map((row) => figuresAnswer(row, query.by, deps));
    },
  }),
};
