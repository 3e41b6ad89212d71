/** `peyk account topup|correct|balance|ledger`: an account's money. */
import { correctionFields, entryFields } from "../fields/money.ts";
import type { BalanceAnswer, LedgerLineAnswer } from "../operator/balances.ts";
import { UsageError } from "./errors.ts";
import { saidNewFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { amountInCurrency, amountText } from "./money-text.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, verb } from "./verb.ts";

const minuteMs = 60_000;

const accountId = ["<id>", "account id"] as const;

export function topUpCommand(io: CliIo) {
  const words = {
    does: "add money to an account's balance",
    examples: ['peyk account topup acc_1 --amount 5000000 --note "November" --reference invoice-1405-17'],
  };
  return withNewFields(verb("topup", words).argument(...accountId), entryFields).action((id, options) => {
    const entry = saidNewFields(entryFields, options);
    return ask(io, options, (api) => api("POST /accounts/:id/topup", { id, ...entry }), enteredText);
  });
}

export function correctCommand(io: CliIo) {
  const words = {
    does: "correct an account's balance, with a note that says why",
    examples: ['peyk account correct acc_1 --amount=-120000 --note "topped up twice"'],
  };
  return withNewFields(verb("correct", words).argument(...accountId), correctionFields).action((id, options) => {
    const entry = saidNewFields(correctionFields, options);
    return ask(io, options, (api) => api("POST /accounts/:id/correct", { id, ...entry }), enteredText);
  });
}

export function balanceCommand(io: CliIo) {
  const words = { does: "show what an account may still spend, or owes", examples: ["peyk account balance acc_1"] };
  return verb("balance", words)
    .argument(...accountId)
    .action((id, options) => ask(io, options, (api) => api("GET /accounts/:id/balance", { id }), balanceText));
}

export function ledgerCommand(io: CliIo) {
  const words = {
    does: "list the lines of an account's ledger, newest first",
    examples: ["peyk account ledger acc_1 --limit 20", "peyk account ledger acc_1 --cursor CURSOR"],
  };
  return verb("ledger", words)
    .argument(...accountId)
    .option("--limit <lines>", "lines of the page, 1 to 500 (50)")
    .option("--cursor <cursor>", "as the page before gave it")
    .action((id, { limit, cursor, ...options }) => {
      if (cursor === "") throw new UsageError("--cursor is empty.");
      const query = {
        ...(limit !== undefined && { limit: wholeNumber("--limit", limit, 1, 500) }),
        cursor,
      };
      return ask(
        io,
        options,
        (api) => api("GET /accounts/:id/ledger", { id, ...query }),
        ({ currency, lines, nextCursor }) => {
          const more = nextCursor === null ? [] : [`More: --cursor ${nextCursor}`];
          return `${ledgerTable(lines, currency)}${joinLines(more)}`;
        },
      );
    });
}

const enteredText = (answer: BalanceAnswer & { duplicate: boolean }): string =>
  (answer.duplicate ? "It was entered before under this reference; nothing new was.\n" : "") + balanceText(answer);

function balanceText({ account, currency, billing, settled, reserved, available }: BalanceAnswer): string {
  return formatFields([
    ["Account", account],
    ["Billing", billing],
    ["Balance", amountInCurrency(settled, currency)],
    ["Reserved for messages on their way", amountInCurrency(reserved, currency)],
    ["Left to spend", amountInCurrency(available, currency)],
  ]);
}

/** Followed by the time on the statement where that differs. */
function bookedText({ at, bookedAt }: LedgerLineAnswer): string {
  const isSame = Math.abs(Date.parse(bookedAt) - Date.parse(at)) < minuteMs;
  return isSame ? shortTime(at) : `${shortTime(at)} (booked ${shortTime(bookedAt)})`;
}

function ledgerTable(lines: readonly LedgerLineAnswer[], currency: string): string {
  if (lines.length === 0) return "The ledger has no line.\n";
  const amount = (value: number) => amountText(value, currency);
  const moved = (value: number) => (value === 0 ? "-" : amount(value));
  const rows = lines.map((line) => [
    bookedText(line),
    line.kind,
    moved(line.amount),
    moved(line.reserved),
    moved(line.captured),
    moved(line.released),
    amount(line.settledAfter),
    amount(line.reservedAfter),
    orDash(line.note),
    orDash(line.reference),
    orDash(line.actor),
  ]);
  const head = [
    "AT",
    "KIND",
    "AMOUNT",
    "RESERVED",
    "CAPTURED",
    "RELEASED",
    "BALANCE AFTER",
    "RESERVED AFTER",
    "NOTE",
    "REFERENCE",
    "BY",
  ];
  return formatTable(head, rows);
}
