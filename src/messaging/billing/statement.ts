/**
 * An account's month in money: opening balance, money received, charges and costs of its messages, and closing balance.
 */
import type { LocalCalendar, LocalPeriod } from "../../domain/local-calendar.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { ChargeRow } from "../../store/charges.ts";
import type { LedgerRow } from "../../store/ledger.ts";
import type { Tables } from "../../store/store.ts";

export const chargeDimensions = ["day", "sender", "route", "network"] as const;
export type ChargeDimension = (typeof chargeDimensions)[number];

export interface ChargeSums {
  messages: number;
  parts: number;
  price: number;
  cost: number;
  /** Messages whose network the table of ported numbers named, or a look-up. */
  byTable: number;
  byLookup: number;
}

/** `of`: the name of the day, or the id of the sender, route or network. */
export interface StatementRow extends ChargeSums {
  of: string | number;
}

export interface Statement {
  /** Top-ups and corrections minus captures, before the month and after it. */
  opening: number;
  closing: number;
  topUps: number;
  corrections: number;
  charged: ChargeSums;
  rows: readonly StatementRow[];
  /** Top-ups and corrections, the oldest first. */
  entered: readonly LedgerRow[];
}

const keyOf: Readonly<Record<ChargeDimension, (row: ChargeRow, day: LocalPeriod) => string | number>> = {
  day: (_, day) => day.name,
  sender: ({ senderId }) => senderId,
  route: ({ routeId }) => routeId,
  network: ({ network }) => network,
};

const nothing: Readonly<ChargeSums> = { messages: 0, parts: 0, price: 0, cost: 0, byTable: 0, byLookup: 0 };

export interface StatementView {
  /** Defines the days. */
  calendar: LocalCalendar;
  by: ChargeDimension;
  /** The time of booking: everything before it is complete. */
  bookedAt: number;
}

/**
 * Days that are over are read one by one, so that other work can run in between; the present one in the same turn as
 * the balances, because a charge booked between them would be missing from one side. Messages not yet handed over are
 * in no statement.
 */
export async function statementOf(
  { ledger, charges }: Pick<Tables, "ledger" | "charges">,
  accountId: number,
  month: LocalPeriod,
  { calendar, by, bookedAt }: StatementView,
): Promise<Statement> {
  const rows = new Map<string | number, StatementRow>();
  const charged = { ...nothing };
  for (let day = calendar.day(month.startsAt); day.startsAt < month.endsAt; day = calendar.day(day.endsAt)) {
    for (const row of charges.between(accountId, day.startsAt, day.endsAt)) {
      const of = keyOf[by](row, day);
      const known = rows.get(of) ?? { of, ...nothing };
      rows.set(of, known);
      for (const sums of [known, charged]) add(sums, row);
    }
    if (day.endsAt <= bookedAt) await nextTurn();
  }
  const entered = ledger.entered(accountId, month.startsAt, month.endsAt);
  const sumBy = (kind: string) => entered.reduce((sum, line) => sum + (line.kind === kind ? line.amount : 0), 0);
  return {
    opening: ledger.settledBefore(accountId, month.startsAt),
    closing: ledger.settledBefore(accountId, month.endsAt),
    topUps: sumBy("topup"),
    corrections: sumBy("correction"),
    charged,
    rows: [...rows.values()],
    entered,
  };
}

export function sumOf(rows: readonly ChargeSums[]): ChargeSums {
  const sums = { ...nothing };
  for (const row of rows) add(sums, row);
  return sums;
}

function add(sums: ChargeSums, { messages, parts, price, cost, byTable, byLookup }: ChargeSums): void {
  sums.messages += messages;
  sums.parts += parts;
  sums.price += price;
  sums.cost += cost;
  sums.byTable += byTable;
  sums.byLookup += byLookup;
}
