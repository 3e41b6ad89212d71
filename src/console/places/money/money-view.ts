/** What the page of an account's money shows: what stands now, the statement of a month, and the ledger day by day. */
import { csvLine } from "../../../domain/csv.ts";
import { type Calendar, calendarOf, dayNamed, LocalCalendar } from "../../../domain/local-calendar.ts";
import { type ChargeDimension, chargeDimensions } from "../../../messaging/billing/statement.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import { partsOf } from "../../format/calendar.ts";
import type { Locale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";

type Statement = AnswerOf<"GET /accounts/:id/statement">;
export type ChargedRow = Statement["rows"][number];
type Entry = NonNullable<Statement["entries"]>[number];

/** A day's messages, or one amount that was entered. Amounts are in the currency's smallest unit. */
export type LedgerDay = { day: string; startsAt: number; change: number; after: number } & (
  | { kind: "messages"; messages: number; parts: number }
  | ({ kind: "entry" } & Pick<Entry, "note" | "reference" | "actor"> & { entered: Entry["kind"] })
);

/** `month`: its name. */
export interface LinkedMonth {
  month: string;
  href: string;
}

export interface MoneyView {
  /** `/money`, or below the account's page. */
  path: string;
  id: string;
  name: string;
  balance: AnswerOf<"GET /accounts/:id/balance">;
  /** In the present month. */
  spent: { month: string; amount: number };
  month: { name: string; from: string; to: string; timeZone: string; calendar: Calendar };
  newer: LinkedMonth | null;
  older: LinkedMonth | null;
  by: ChargeDimension;
  dimensions: readonly { name: ChargeDimension; href: string }[];
  statement: Statement;
  rows: readonly ChargedRow[];
  /** The newest first, up to `ledgerShown`. */
  ledger: readonly LedgerDay[];
  ledgerLines: number;
  isCustomer: boolean;
  /** Not charged, and never was: there is nothing to show. */
  isUnused: boolean;
  csv: string;
  ledgerCsv: string;
}

export interface MoneyQuestion {
  api: ConsoleApi;
  query: URLSearchParams;
  id: string;
  path: string;
  isCustomer: boolean;
}

const ledgerShown = 500;

/** A customer knows nothing of routes. */
const dimensionsFor = (isCustomer: boolean) => chargeDimensions.filter((one) => !isCustomer || one !== "route");

function askedOf({ query, isCustomer, id }: MoneyQuestion) {
  const by = dimensionsFor(isCustomer).find((one) => one === query.get("by")) ?? "sender";
  const month = query.get("month");
  return { by, asked: { id, ...(month !== null && { month }) } };
}

export async function moneyView(question: MoneyQuestion, now: number): Promise<MoneyView> {
  const { api, id, path, isCustomer } = question;
  const { by, asked } = askedOf(question);
  const [account, balance, byDay, statement, present] = await Promise.all([
    namedAccount(api, id),
    api("GET /accounts/:id/balance", { id }),
    api("GET /accounts/:id/statement", { ...asked, by: "day", entries: true }),
    api("GET /accounts/:id/statement", { ...asked, by }),
    api("GET /accounts/:id/statement", { id }),
  ]);
  const { month, from, to, timeZone } = byDay;
  const calendar = new LocalCalendar(timeZone, calendarOf(month));
  const [startsAt, endsAt] = [Date.parse(from), Date.parse(to)];
  const href = (changed: { month?: string; by?: string }, page = path) =>
    `${page}?${new URLSearchParams({ month, by, ...changed })}`;
  const monthAt = (at: number): LinkedMonth => {
    const { name } = calendar.month(at);
    return { month: name, href: href({ month: name }) };
  };
  // An account has no entries from before it was created, unless the clock was set back.
  const isFirst = startsAt <= Date.parse(account.createdAt) && byDay.opening === 0;
  const ledger = ledgerOf(byDay);
  return {
    path,
    id: account.id,
    name: account.name,
    balance,
    spent: { month: present.month, amount: present.charged.price },
    month: { name: month, from, to, timeZone, calendar: calendarOf(month) },
    newer: endsAt > now ? null : monthAt(endsAt),
    older: isFirst ? null : monthAt(startsAt - 1),
    by,
    dimensions: dimensionsFor(isCustomer).map((one) => ({ name: one, href: href({ by: one }) })),
    statement,
    rows: sorted(statement),
    ledger: ledger.toReversed().slice(0, ledgerShown),
    ledgerLines: ledger.length,
    isCustomer,
    isUnused: balance.billing === "free" && balance.settled === 0 && isFirst && ledger.length === 0,
    csv: href({}, `${path}.csv`),
    ledgerCsv: href({ by: "ledger" }, `${path}.csv`),
  };
}

/** Days in their order, everything else the dearest first. */
const sorted = ({ by, rows }: Statement) =>
  by === "day" ? rows : rows.toSorted((a, b) => b.price - a.price || b.messages - a.messages);

/** The oldest first; a day's messages stand behind what was entered on it. */
function ledgerOf({ rows, entries = [], timeZone, month, opening }: Statement): LedgerDay[] {
  const calendar = new LocalCalendar(timeZone, calendarOf(month));
  const entered = Map.groupBy(entries, ({ at }) => calendar.day(Date.parse(at)).name);
  const charged = new Map(rows.map((row) => [row.of, row]));
  const lines: LedgerDay[] = [];
  let after = opening;
  for (const day of [...new Set([...entered.keys(), ...charged.keys()])].toSorted()) {
    const startsAt = dayNamed(day, timeZone)?.startsAt ?? 0;
    for (const { amount, kind, note, reference, actor } of entered.get(day) ?? []) {
      after += amount;
      lines.push({ kind: "entry", day, startsAt, change: amount, after, entered: kind, note, reference, actor });
    }
    const { price = 0, messages = 0, parts = 0 } = charged.get(day) ?? {};
    after -= price;
    if (messages > 0) lines.push({ kind: "messages", day, startsAt, change: -price, after, messages, parts });
  }
  return lines;
}

/** `20 November 2026` of the account's own clocks. */
export function dateIn(at: number | string, timeZone: string, { language }: Pick<Locale, "language">): string {
  const { day, month, year } = partsOf(typeof at === "number" ? at : Date.parse(at), language, timeZone);
  return `${day} ${month} ${year}`;
}

/** Of a day such as `1405-08-30`. */
export const dayText = (name: string, timeZone: string, locale: Locale): string =>
  dateIn(dayNamed(name, timeZone)?.startsAt ?? 0, timeZone, locale);

/** In numbers as machines read them. */
export async function moneyCsv(question: MoneyQuestion): Promise<{ fileName: string; content: string }> {
  const { api, query } = question;
  const { by, asked } = askedOf(question);
  const file = (statement: Statement, of: string, lines: readonly string[]) => ({
    fileName: `statement-${statement.account}-${statement.month}-by-${of}.csv`,
    content: lines.join(""),
  });
  if (query.get("by") === "ledger") {
    const statement = await api("GET /accounts/:id/statement", { ...asked, by: "day", entries: true });
    return file(statement, "ledger", [
      csvLine(["day", "what", "note", "reference", "messages", "parts", "amount", "balance"]),
      ...ledgerOf(statement).map(ledgerCsvLine),
    ]);
  }
  const statement = await api("GET /accounts/:id/statement", { ...asked, by });
  const columns = question.isCustomer
    ? (["messages", "parts", "price"] as const)
    : (["messages", "parts", "price", "cost", "margin"] as const);
  return file(statement, by, [
    csvLine([by, ...columns]),
    ...sorted(statement).map((row) => csvLine([row.of, ...columns.map((column) => row[column])])),
  ]);
}

function ledgerCsvLine(line: LedgerDay): string {
  const { day, change, after } = line;
  return line.kind === "messages"
    ? csvLine([day, "messages", null, null, line.messages, line.parts, change, after])
    : csvLine([day, line.entered, line.note, line.reference, null, null, change, after]);
}
