/** `peyk report usage|statement`: an account's month, by day, sender, route or network. */

import { counted } from "../domain/counted.ts";
import { csvLine } from "../domain/csv.ts";
import { amountInCurrency, amountText } from "../domain/money-text.ts";
import { chargeDimensions } from "../messaging/billing/statement.ts";
import type { StatementAnswer, UsageAnswer } from "../operator/account-reports.ts";
import { calls, flag, must, noun, typed, wordOf } from "./declared.ts";
import { formatFields, formatTable, orDash } from "./text.ts";

const usageColumns = ["messages", "parts", "delivered", "sent", "failed", "cancelled", "waiting"] as const;
const statementColumns = ["messages", "parts", "price", "cost", "margin"] as const;
/** Of networks, also how many messages the table of ported numbers assigned, and how many a look-up. */
const networkColumns = [...statementColumns, "byTable", "byLookup"] as const;

type Figures<Column extends string> = { of: string } & { readonly [Name in Column]?: number | string | null };

function csvOf<Column extends string>(
  by: string,
  columns: readonly Column[],
  rows: readonly Figures<Column>[],
): string {
  return [
    csvLine([by, ...columns]),
    ...rows.map((row) => csvLine([row.of, ...columns.map((column) => row[column] ?? null)])),
  ].join("");
}

function tableOf<Column extends string>(
  by: string,
  columns: readonly Column[],
  rows: readonly Figures<Column>[],
): string {
  const cells = rows.map((row) => [orDash(row.of), ...columns.map((column) => orDash(row[column] ?? null))]);
  return formatTable(
    [by, ...columns].map((head) => head.toUpperCase()),
    cells,
  );
}

const monthText = ({ month, timeZone }: { month: string; timeZone: string }) => `${month} (${timeZone})`;

function usageText(answer: UsageAnswer): string {
  const { account, messages, parts } = answer;
  const fields = formatFields([
    ["Account", account],
    ["Month", monthText(answer)],
    ["Accepted", `${counted(messages, "message")}, ${counted(parts, "part")}`],
  ]);
  return answer.rows.length === 0 ? fields : `${fields}\n${tableOf(answer.by, usageColumns, answer.rows)}`;
}

const columnsOf = ({ by }: StatementAnswer) => (by === "network" ? networkColumns : statementColumns);

function statementText(answer: StatementAnswer): string {
  const { account, currency, opening, topUps, corrections, closing, charged } = answer;
  const money = (amount: number) => amountInCurrency(amount, currency);
  const inTable = (amount: number | null) => (amount === null ? null : amountText(amount, currency));
  const fields = formatFields([
    ["Account", account],
    ["Month", monthText(answer)],
    ["Balance before", money(opening)],
    ["Top-ups", money(topUps)],
    ["Corrections", money(corrections)],
    [
      "Charged",
      `${money(-charged.price)} for ${counted(charged.messages, "message")}, ${counted(charged.parts, "part")}`,
    ],
    ["Balance after", money(closing)],
    ...(charged.cost === null ? [] : [["Cost", money(charged.cost)] as const]),
    ...(charged.margin === null ? [] : [["Margin", money(charged.margin)] as const]),
  ]);
  if (answer.rows.length === 0) return fields;
  const rows = answer.rows.map(({ price, cost, margin, ...row }) => ({
    ...row,
    price: inTable(price),
    cost: inTable(cost),
    margin: inTable(margin),
  }));
  return `${fields}\n${tableOf(answer.by, columnsOf(answer), rows)}`;
}

const options = {
  account: must(typed("account <id>", "the account")),
  month: typed("month <month>", "such as 2026-11, or 1405-08 of the Persian calendar; the present one when left out"),
  by: wordOf("by <what>", chargeDimensions, `${chargeDimensions.join(", ")} (day)`),
  csv: flag("csv", "as CSV (RFC 4180, UTF-8)"),
};

const examplesOf = (name: string) => {
  const example = `peyk report ${name} --account acc_1 --month 2026-11`;
  return [`${example} --by sender`, `${example} --csv > november.csv`];
};

export const reportCommand = noun("report", "what an account sent in a month, and what it was charged", {
  usage: calls({
    does: "what an account sent in a month, by when it was accepted",
    examples: examplesOf("usage"),
    options,
    call: (api, { account: id, csv: _, ...given }) => api("GET /accounts/:id/usage", { id, ...given }),
    text: (answer, { csv }) => (csv === true ? csvOf(answer.by, usageColumns, answer.rows) : usageText(answer)),
  }),
  statement: calls({
    does: "an account's month in money: what it had, what it was charged for what was handed over, what is left",
    examples: examplesOf("statement"),
    options,
    call: (api, { account: id, csv: _, ...given }) => api("GET /accounts/:id/statement", { id, ...given }),
    text: (answer, { csv }) =>
      csv === true ? csvOf(answer.by, columnsOf(answer), answer.rows) : statementText(answer),
  }),
});
