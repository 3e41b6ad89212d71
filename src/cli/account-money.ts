/** `peyk account topup|correct|balance|ledger`: an account's money. */

import { correctionFields, entryFields } from "../fields/money.ts";
import type { BalanceAnswer, LedgerLineAnswer } from "../operator/balances.ts";
import { calls, typed, whole } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { amountInCurrency, amountText } from "./money-text.ts";
import { formatFields, joinLines, orDash, shortTime, tableOf } from "./text.ts";

const minuteMs = 60_000;

function enteredText(answer: BalanceAnswer & { duplicate: boolean }): string {
  return (
    (answer.duplicate ? "It was entered before under this reference; nothing new was.\n" : "") + balanceText(answer)
  );
}

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
  const amount = (value: number) => amountText(value, currency);
  const moved = (value: number) => (value === 0 ? "-" : amount(value));
  const table = tableOf<LedgerLineAnswer>("The ledger has no line.", {
    AT: bookedText,
    KIND: "kind",
    AMOUNT: (line) => moved(line.amount),
    RESERVED: ({ reserved }) => moved(reserved),
    CAPTURED: ({ captured }) => moved(captured),
    RELEASED: ({ released }) => moved(released),
    "BALANCE AFTER": ({ settledAfter }) => amount(settledAfter),
    "RESERVED AFTER": ({ reservedAfter }) => amount(reservedAfter),
    NOTE: ({ note }) => orDash(note),
    REFERENCE: ({ reference }) => orDash(reference),
    BY: ({ actor }) => orDash(actor),
  });
  return table(lines);
}

const of = { id: "account id" };

export const moneyVerbs = {
  topup: calls({
    does: "add money to an account's balance",
    examples: ['peyk account topup acc_1 --amount 5000000 --note "November" --reference invoice-1405-17'],
    of,
    options: entryFields,
    call: (api, given) => api("POST /accounts/:id/topup", given),
    text: enteredText,
  }),
  correct: calls({
    does: "correct an account's balance, with a note that says why",
    examples: ['peyk account correct acc_1 --amount=-120000 --note "topped up twice"'],
    of,
    options: correctionFields,
    call: (api, given) => api("POST /accounts/:id/correct", given),
    text: enteredText,
  }),
  balance: calls({
    does: "show what an account may still spend, or owes",
    examples: ["peyk account balance acc_1"],
    of,
    call: (api, given) => api("GET /accounts/:id/balance", given),
    text: balanceText,
  }),
  ledger: calls({
    does: "list the lines of an account's ledger, newest first",
    examples: ["peyk account ledger acc_1 --limit 20", "peyk account ledger acc_1 --cursor CURSOR"],
    of,
    options: {
      limit: whole("limit <lines>", "lines of the page, 1 to 500 (50)", 1, 500),
      cursor: typed("cursor <cursor>", "as the page before gave it"),
    },
    call: (api, given) => {
      if (given.cursor === "") throw new UsageError("--cursor is empty.");
      return api("GET /accounts/:id/ledger", given);
    },
    text: ({ currency, lines, nextCursor }) =>
      ledgerTable(lines, currency) + joinLines(nextCursor === null ? [] : [`More: --cursor ${nextCursor}`]),
  }),
};
