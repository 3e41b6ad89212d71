/**
 * An account's month: what it sent, according to the figures, and what it was charged, according to the ledger; and what
 * was refused to it in the last day.
 */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { fieldCodes } from "../domain/api-error.ts";
import { calendarOf, LocalCalendar, type LocalPeriod, monthNamed } from "../domain/local-calendar.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { latinDigits } from "../domain/phone-number.ts";
import { refusalReasonOf } from "../domain/refused-request.ts";
import { type ChargeDimension, type ChargeSums, chargeDimensions, sumOf } from "../messaging/billing/statement.ts";
import type { RefusedKind } from "../messaging/refusals/refused-requests.ts";
import { isoTime } from "../platform/clock.ts";
import type { FigureDimension, FiguresRow } from "../reports/protocol.ts";
import { ownAccount } from "./accounts.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText, credentialIdText, keyIdText } from "./ids.ts";
import { type OperationCall, reads } from "./operation.ts";
import { oneOf, truthField } from "./schemas.ts";

const monthFields = {
  id: t.String(),
  /** `2026-11`, or `1405-08` in the Persian calendar; defaults to the current month. */
  month: t.Optional(t.String()),
  by: t.Optional(oneOf(chargeDimensions)),
};

/** With the lines that were entered. */
const statementFields = { ...monthFields, entries: truthField };

export type UsageAnswer = Awaited<ReturnType<typeof usageAnswer>>;
export type StatementAnswer = Awaited<ReturnType<typeof statementAnswer>>;

interface Asked {
  accountId: number;
  month: LocalPeriod;
  by: ChargeDimension;
  timeZone: string;
  calendar: LocalCalendar;
  /** Customers never see carriers. */
  isCustomer: boolean;
}

type MonthInput = Static<TObject<typeof monthFields>>;

function asked(deps: OperatorDeps, { id, month: name, by = "day" }: MonthInput, { caller }: OperationCall): Asked {
  const { directory, timeZones, facts, bookingClock } = deps;
  const accountId = accountIdOf(id);
  if (directory.account(accountId) === null) throw new OperatorError("account_not_found");
  const timeZone = timeZones.of(accountId);
  const present = new LocalCalendar(timeZone, facts.calendar).month(bookingClock.now());
  const month = name === undefined ? present : monthNamed(latinDigits(name), timeZone);
  if (month === null) {
    throw invalidRequest([problemOf("month", "month", { value: name ?? "" })]);
  }
  const isCustomer = caller.accountId !== null;
  return { accountId, month, by, timeZone, calendar: new LocalCalendar(timeZone, calendarOf(month.name)), isCustomer };
}

/** Common to the beginning of both answers. */
const headOf = ({ accountId, month, by, timeZone }: Asked) => ({
  account: accountIdText(accountId),
  month: month.name,
  from: isoTime(month.startsAt),
  to: isoTime(month.endsAt),
  timeZone,
  by,
});

const figureOf: Readonly<Record<Exclude<ChargeDimension, "day">, FigureDimension>> = {
  sender: "senderId",
  route: "routeId",
  network: "network",
};

/** By the time messages were accepted. */
async function usageAnswer(deps: OperatorDeps, request: Asked, signal: AbortSignal) {
  const { accountId, month, by, timeZone } = request;
  const dimension = by === "day" ? null : figureOf[by];
  const rows = await deps.reports.figures(
    {
      from: month.startsAt,
      to: month.endsAt,
      by: dimension === null ? [] : [dimension],
      period: dimension === null ? "day" : "all",
      timeZone,
      calendar: calendarOf(month.name),
      filter: { accountId },
    },
    signal,
  );
  return {
    ...headOf(request),
    messages: rows.reduce((sum, { messages }) => sum + messages, 0),
    parts: rows.reduce((sum, { parts }) => sum + parts, 0),
    rows: byName(rows, (row) => (dimension === null ? row.period : nameOf(deps, dimension, row[dimension] ?? 0))).map(
      usageRow,
    ),
  };
}

/** What was removed and added again is one row. */
const byName = <Row>(rows: readonly Row[], name: (row: Row) => string) => [...Map.groupBy(rows, name)];

function usageRow([of, rows]: [string, readonly FiguresRow[]]) {
  const sum = (count: (row: FiguresRow) => number | undefined) =>
    rows.reduce((total, row) => total + (count(row) ?? 0), 0);
  return {
    /** The day, or the name of the sender, route or network; empty if unknown. */
    of,
    messages: sum(({ messages }) => messages),
    parts: sum(({ parts }) => parts),
    sent: sum(({ statuses }) => statuses.sent),
    delivered: sum(({ statuses }) => statuses.delivered),
    failed: sum(({ statuses }) => statuses.failed),
    cancelled: sum(({ statuses }) => statuses.cancelled),
    waiting: sum(({ statuses }) => (statuses.queued ?? 0) + (statuses.processing ?? 0)),
  };
}

function nameOf({ directory, routingPlans }: OperatorDeps, dimension: FigureDimension, id: number): string {
  if (id === 0) return "";
  if (dimension === "senderId") return directory.senderById(id)?.sender ?? String(id);
  if (dimension === "routeId") return directory.routeById(id)?.name ?? String(id);
  return routingPlans.networks.nameOf(id);
}

/** By the time messages were handed over. */
async function statementAnswer(deps: OperatorDeps, request: Asked, withEntries: boolean) {
  const { accountId, month, by, calendar, isCustomer } = request;
  const statement = await deps.balances.statement(accountId, month, calendar, by);
  const { opening, closing, topUps, corrections, charged, rows, entered } = statement;
  const sums = ({ messages, parts, price, cost }: ChargeSums) =>
    isCustomer
      ? { messages, parts, price, cost: null, margin: null }
      : { messages, parts, price, cost, margin: price - cost };
  const dimension = by === "day" ? null : figureOf[by];
  return {
    ...headOf(request),
    currency: deps.facts.currency,
    opening,
    topUps,
    corrections,
    closing,
    charged: sums(charged),
    rows: byName(rows, ({ of }) => (dimension === null ? String(of) : nameOf(deps, dimension, Number(of)))).map(
      ([of, alike]) => {
        const row = sumOf(alike);
        return { of, ...sums(row), ...(by === "network" && { byTable: row.byTable, byLookup: row.byLookup }) };
      },
    ),
    /** Top-ups and corrections, the oldest first. A customer is not told who of the operators entered them. */
    ...(withEntries && {
      entries: entered.map(({ bookedAt, kind, amount, note, reference, actor }) => ({
        at: isoTime(bookedAt),
        kind,
        amount,
        note,
        reference,
        actor: isCustomer ? null : actor,
      })),
    }),
  };
}

export const accountReportAdmin = {
  "GET /accounts/:id/usage": reads({
    may: "usage.read",
    scope: ownAccount,
    input: monthFields,
    run: (deps, input, call) => usageAnswer(deps, asked(deps, input, call), call.signal),
  }),
  "GET /accounts/:id/statement": reads({
    may: "usage.read",
    scope: ownAccount,
    input: statementFields,
    run: (deps, { entries = false, ...input }, call) => statementAnswer(deps, asked(deps, input, call), entries),
  }),
};

/** Without another for this long, it is over. */
const overMs = 30 * 60_000;

export type AccountErrorAnswer = ReturnType<typeof errorAnswer>;

function errorAnswer({ directory, credentials }: OperatorDeps, kind: RefusedKind, now: number) {
  const { code, status, way, id, request, field, sender, count, hours, firstAt, lastAt } = kind;
  const isField = fieldCodes.some((one) => one === code);
  const name = way === "api" ? directory.key(id)?.name : credentials.directory.byId(id)?.name;
  return {
    reason: refusalReasonOf(code) ?? "service",
    /** As the way in answers: an error of the API, a status of SMPP, a cause of a drop-in protocol. */
    code: isField ? "validation_failed" : code,
    /** What is wrong with the first wrong field; null if none is. */
    fieldCode: isField ? code : null,
    /** An HTTP status, or a command status of SMPP; null where there is none. */
    status,
    way,
    /** The key, or the credential; `name`: null if it is no longer there. */
    by: { id: way === "api" ? keyIdText(id) : credentialIdText(id), name: name ?? null },
    count,
    first: isoTime(firstAt),
    last: isoTime(lastAt),
    goesOn: now - lastAt < overMs,
    /** By clock hour, the present one last. */
    hours,
    /** Of the first one: no text, no number. */
    example: { request, field: field === "" ? null : field, sender: sender === "" ? null : sender },
  };
}

export const accountErrorAdmin = {
  "GET /accounts/:id/errors": reads({
    may: "usage.read",
    scope: ownAccount,
    input: { id: t.String() },
    run: (deps, { id }) => {
      const { directory, refusedRequests, clock } = deps;
      const accountId = accountIdOf(id);
      if (directory.account(accountId) === null) throw new OperatorError("account_not_found");
      const { kinds, others } = refusedRequests.of(accountId);
      return {
        account: accountIdText(accountId),
        /** When the service was started: earlier ones are not known. */
        since: isoTime(refusedRequests.since),
        count: kinds.reduce((sum, { count }) => sum + count, others),
        /** Of further kinds, which are only counted. */
        others,
        kinds: kinds.map((kind) => errorAnswer(deps, kind, clock.now())),
      };
    },
  }),
};
