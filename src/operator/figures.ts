/** Figures and charges of a period, grouped as requested: counted messages by acceptance, money by hand-over. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { LocalCalendar } from "../domain/local-calendar.ts";
import { className } from "../domain/message.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { isoTime } from "../platform/clock.ts";
import { Slices } from "../platform/next-turn.ts";
import type { FigureDimension, FiguresRequest, FiguresRow } from "../reports/protocol.ts";
import type { ChargeRow } from "../store/charges.ts";
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

/** Of acceptance, or of hand-over for charges; includes quarters of an hour that begin in it. */
const periodFields = {
  from: timeSchema,
  to: timeSchema,
  /** The time zone in which days begin. */
  timeZone: t.Optional(t.String({ maxLength: 64 })),
  calendar: t.Optional(oneOf(["gregory", "persian"])),
  account: t.Optional(t.String()),
};

const figuresFields = {
  ...periodFields,
  by: oneOf(groupings),
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

const chargeGroupings = ["account", "sender", "route", "network", "day", "month", "all"] as const;

const chargeFields = { ...periodFields, by: oneOf(chargeGroupings) };

type ChargesQuery = Static<TObject<typeof chargeFields>>;

export interface ChargesRow {
  /** An account's id, a name, or a period as in the figures; null if unknown. */
  of: string | null;
  /** Amounts in the currency's smallest unit. */
  price: number;
  cost: number;
}

/** Read at once: of one account its rows, or of so many the sum of each. */
const stepMs = 7 * 86_400_000;
const accountsAtOnce = 50;

function keyOf({ by, timeZone = "UTC", calendar = "gregory" }: ChargesQuery, deps: OperatorDeps) {
  const { directory, routingPlans } = deps;
  const local = new LocalCalendar(presentTimeZone(timeZone), calendar);
  const periods = new Map<number, string>();
  const periodOf = (slotAt: number, period: "day" | "month") => {
    const name = periods.get(slotAt) ?? local[period](slotAt).name;
    periods.set(slotAt, name);
    return name;
  };
  return ({ accountId, senderId, routeId, network, slotAt }: ChargeRow): string | null => {
    switch (by) {
      case "account":
        return accountIdText(accountId);
      case "sender":
        return directory.senderById(senderId)?.sender ?? null;
      case "route":
        return directory.routeById(routeId)?.name ?? null;
      case "network":
        return network === 0 ? null : routingPlans.networks.nameOf(network);
      case "all":
        return "";
      default:
        return periodOf(slotAt, by);
    }
  };
}

async function chargesBy(deps: OperatorDeps, query: ChargesQuery): Promise<ChargesRow[]> {
  const accountId = listedAccountOf(query.account, deps.directory);
  const accounts = accountId === undefined ? deps.directory.accounts().map(({ id }) => id) : [accountId];
  const isSum = accountId === undefined && (query.by === "all" || query.by === "account");
  const firsts = isSum ? new Set(accounts.map((id) => id - (id % accountsAtOnce))) : accounts;
  const { balances } = deps;
  const read = (id: number, at: number, end: number) =>
    isSum ? balances.chargeSums(id, id + accountsAtOnce, at, end) : balances.charges(id, at, end);
  const key = keyOf(query, deps);
  const [from, to] = [Date.parse(query.from), Date.parse(query.to)];
  const rows = new Map<string | null, ChargesRow>();
  const slices = new Slices();
  for (const id of firsts) {
    for (let at = from; at < to; at += stepMs) {
      for (const row of read(id, at, Math.min(at + stepMs, to))) {
        const of = key(row);
        const known = rows.get(of) ?? { of, price: 0, cost: 0 };
        rows.set(of, { of, price: known.price + row.price, cost: known.cost + row.cost });
      }
      await slices.pause();
    }
  }
  return [...rows.values()];
}

export const chargesAdmin = {
  "GET /charges": reads({
    may: "prices.read",
    input: chargeFields,
    run: async (deps, query) => ({ currency: deps.facts.currency, rows: await chargesBy(deps, query) }),
  }),
};
