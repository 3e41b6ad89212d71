/** `peyk account …`: the customers that send through this service. */

import { amountInCurrency, amountText } from "../domain/money-text.ts";
import { englishRefusals } from "../domain/refused-request.ts";
import { accountFields } from "../fields/account.ts";
import type { FieldTable } from "../fields/field.ts";
import { correctionFields, entryFields } from "../fields/money.ts";
import type { AccountErrorAnswer } from "../operator/account-reports.ts";
import type { AccountAnswer } from "../operator/answers.ts";
import type { BalanceAnswer, LedgerLineAnswer } from "../operator/balances.ts";
import { calls, lists, noun, typed, whole } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { fieldRows } from "./field-options.ts";
import { formatKeys } from "./key.ts";
import { formatSenders } from "./sender.ts";
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

const errorTable = tableOf<AccountErrorAnswer>("", {
  COUNT: "count",
  WHAT: ({ reason }) => englishRefusals[reason].title,
  CODE: ({ code, fieldCode }) => (fieldCode === null ? code : `${code} ${fieldCode}`),
  WAY: "way",
  BY: ({ by }) => (by.name === null ? by.id : `${by.id} ${by.name}`),
  FIRST: ({ first }) => shortTime(first),
  LAST: ({ last, goesOn }) => `${shortTime(last)}${goesOn ? ", goes on" : ""}`,
  EXAMPLE: ({ example: { request, field, sender } }) =>
    [request, field, sender].filter((part) => part !== null).join(" "),
});

export const errorsVerb = calls({
  does: "show what was refused to an account in the last day, by cause, key or credential, and way in",
  examples: ["peyk account errors acc_1", "peyk account errors acc_1 --json"],
  of: { id: "account id" },
  call: (api, given) => api("GET /accounts/:id/errors", given),
  text: ({ since, others, kinds }) => {
    const more = others === 0 ? [] : [`And ${others} of further kinds.`];
    const known = `Known since ${shortTime(since)}, when the service was started.`;
    if (kinds.length === 0) return joinLines(["Nothing was refused in the last day.", known]);
    return `${errorTable(kinds)}${joinLines([...more, known])}`;
  },
});

function accountText(account: AccountAnswer): string {
  return formatFields([
    ["Account", account.id],
    ...fieldRows(accountFields, account),
    ["Status", account.status],
    ["Created", shortTime(account.createdAt)],
    ["Note", orDash(account.note)],
  ]);
}

const accountTable = tableOf<AccountAnswer>("There are no accounts yet. Create one: peyk account create --name NAME", {
  ACCOUNT: "id",
  NAME: "name",
  STATUS: "status",
  "DEFAULT SENDER": "defaultSender",
  CREATED: ({ createdAt }) => shortTime(createdAt),
});

const { name, defaultSender, countries, ...rest } = accountFields;

/** Takes a change to some of the fields. */
const changing = (does: string, changes: FieldTable & Partial<typeof accountFields>, examples: readonly string[]) =>
  calls({
    does,
    examples,
    of: { id: "account id, such as acc_1" },
    changes,
    call: (api, given) => api("PATCH /accounts/:id", given),
    text: accountText,
  });

export const accountCommand = noun(
  "account",
  "customers of this service: each has its own keys, senders and messages",
  {
    create: calls({
      does: "create an account",
      examples: ['peyk account create --name "City clinic"'],
      options: { name },
      call: (api, given) => api("POST /accounts", given),
      text: ({ id }) =>
        `Account ${id} created. Next:\n  peyk sender add --account ${id} --sender NUMBER\n  peyk key create --account ${id} --name NAME\n`,
    }),
    update: changing(
      "rename an account, choose the sender of its group sends, or limit the countries that it may send to",
      { name, defaultSender, countries },
      [
        "peyk account update acc_1 --default-sender 30001234",
        'peyk account update acc_1 --name "New name"',
        "peyk account update acc_1 --countries IR,TR",
      ],
    ),
    list: lists({
      does: "list all accounts",
      examples: ["peyk account list", "peyk account list --query clinic --limit 100"],
      part: (api, query) => api("GET /accounts", query),
      whole: ({ billing: _, senders: __, ...row }) => row,
      table: accountTable,
    }),
    show: calls({
      does: "show an account with its keys and senders",
      examples: ["peyk account show acc_1"],
      of,
      call: (api, given) => api("GET /accounts/:id", given),
      text: (account) => `${accountText(account)}\n${formatKeys(account.keys)}\n${formatSenders(account.senders)}`,
    }),
    suspend: calls({
      does: "refuse an account's requests and hold its waiting messages until it is resumed",
      examples: ["peyk account suspend acc_1"],
      of,
      call: (api, given) => api("POST /accounts/:id/suspend", given),
      text: accountText,
    }),
    resume: calls({
      does: "serve a suspended account again and send what it held",
      examples: ["peyk account resume acc_1"],
      of,
      call: (api, given) => api("POST /accounts/:id/resume", given),
      text: accountText,
    }),
    set: changing(
      "set an account's time zone, its quiet hours, what suppression lists stop, how long its messages are kept, and how far its customer may go with keys and credentials",
      rest,
      [
        "peyk account set acc_1 --time-zone Asia/Tehran",
        "peyk account set acc_1 --time-zone default",
        "peyk account set acc_1 --suppression all_but_otp",
        'peyk account set acc_1 --quiet-hours 22:00-08:00 --quiet-hours "13:00-16:00 Fri"',
        "peyk account set acc_1 --keep-days 30 --keep-texts-days 7",
        "peyk account set acc_1 --max-keys 5 --max-credentials 3 --max-rate 50",
      ],
    ),
    note: calls({
      does: "keep a note about an account, in place of the one before; its customer never sees it",
      examples: ['peyk account note acc_1 "Pays by invoice; ask for Sara"', 'peyk account note acc_1 ""'],
      of: { ...of, text: "at most 2000 characters; an empty one takes the note away" },
      call: (api, { id, text: note }) => api("PATCH /accounts/:id", { id, note }),
      text: accountText,
    }),
    ...moneyVerbs,
    errors: errorsVerb,
  },
);
