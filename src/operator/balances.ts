/** The money of an account: balance, top-ups, corrections and the ledger. Amounts are whole numbers of the currency's smallest unit. */

import { Elysia, t } from "elysia";
import { counted } from "../domain/counted.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { entryMax } from "../domain/price-list.ts";
import { availableOf } from "../messaging/billing/balance-guard.ts";
import type { EnteredMoney } from "../messaging/billing/balance-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { Balance, LedgerPosition, LedgerRow } from "../store/ledger.ts";
import { callerOf } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { told } from "./schemas.ts";
import { firstWarnings } from "./warnings.ts";

const amountSchema = (minimum: number) =>
  t.Integer({ minimum, maximum: entryMax, error: `must be a whole number from ${minimum} to ${entryMax}` });

const noteSchema = t.String({
  minLength: 1,
  maxLength: 200,
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  ...told("line", { min: 1, max: 200 }),
});

const referenceSchema = t.String({
  pattern: "^[!-~]{1,64}$",
  ...told("latin_word", { max: 64 }),
});

export type BalanceAnswer = ReturnType<typeof balanceAnswer>;

export function balanceAnswer(
  { prices, facts }: Pick<OperatorDeps, "prices" | "facts">,
  accountId: number,
  balance: Balance,
) {
  return {
    account: accountIdText(accountId),
    currency: facts.currency,
    billing: prices.billingOf(accountId)?.mode ?? ("free" as const),
    /** Top-ups and corrections less what was charged: below zero is owed. */
    settled: balance.settled,
    /** For messages that were accepted and not handed over yet. */
    reserved: balance.reserved,
    /** What a prepaid account may still spend. */
    available: availableOf(balance),
  };
}

export type LedgerLineAnswer = ReturnType<typeof ledgerLineAnswer>;

/** A customer is not told who of the operators entered a line. */
function ledgerLineAnswer(row: LedgerRow, isCustomer: boolean) {
  const {
    at,
    number,
    kind,
    amount,
    reserved,
    captured,
    released,
    settledAfter,
    reservedAfter,
    note,
    actor,
    reference,
  } = row;
  return {
    at: isoTime(at),
    number,
    /** `messages`: all that the messages of one transaction moved. */
    kind,
    /** Of a top-up or a correction. */
    amount,
    reserved,
    captured,
    released,
    settledAfter,
    reservedAfter,
    note,
    reference,
    actor: isCustomer ? null : actor,
  };
}

const cursorText = ({ at, number }: LedgerPosition) => `${at.toString(36)}.${number.toString(36)}`;

function positionOf(cursor: string | undefined): LedgerPosition | null {
  if (cursor === undefined) return null;
  const [at = 0, number = 0] = cursor.split(".").map((text) => Number.parseInt(text, 36));
  return { at, number };
}

export function balanceRoutes(deps: OperatorDeps) {
  const { balances } = deps;
  const answer = (accountId: number, balance: Balance) => balanceAnswer(deps, accountId, balance);
  const entered = (accountId: number, { balance, duplicate }: EnteredMoney) => ({
    ...answer(accountId, balance),
    /** It was entered before under this reference; nothing new was. */
    duplicate,
  });
  return new Elysia({ prefix: "/accounts/:id" })
    .get("/balance", ({ params }) => {
      const accountId = accountIdOf(params.id);
      return answer(accountId, balances.balanceOf(accountId));
    })
    .post(
      "/topup",
      async ({ params, body: { amount, note = null, reference = null }, request }) => {
        const accountId = accountIdOf(params.id);
        const { actor } = callerOf(request);
        return entered(accountId, await balances.topUp(accountId, { amount, note, reference, actor }));
      },
      {
        body: t.Object({
          amount: amountSchema(1),
          note: t.Optional(noteSchema),
          reference: t.Optional(referenceSchema),
        }),
      },
    )
    .post(
      "/correct",
      async ({ params, body: { amount, note, reference = null }, request }) => {
        if (amount === 0) throw invalidRequest([problemOf("amount", "not_zero", {})]);
        const accountId = accountIdOf(params.id);
        const { actor } = callerOf(request);
        return entered(accountId, await balances.correct(accountId, { amount, note, reference, actor }));
      },
      { body: t.Object({ amount: amountSchema(-entryMax), note: noteSchema, reference: t.Optional(referenceSchema) }) },
    )
    .get(
      "/ledger",
      ({ params, query: { limit = 50, cursor }, request }) => {
        const isCustomer = callerOf(request).accountId !== null;
        const rows = balances.ledger(accountIdOf(params.id), positionOf(cursor), limit);
        const last = rows.length === limit ? rows.at(-1) : undefined;
        return {
          currency: deps.facts.currency,
          /** Newest first. */
          lines: rows.map((row) => ledgerLineAnswer(row, isCustomer)),
          /** Where to go on; null at the end. */
          nextCursor: last === undefined ? null : cursorText(last),
        };
      },
      {
        query: t.Object({
          limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
          cursor: t.Optional(
            t.String({ pattern: "^[0-9a-z]{1,12}\\.[0-9a-z]{1,12}$", error: "is none that a ledger has given" }),
          ),
        }),
      },
    );
}

/** Sentences about prepaid accounts that have nothing left to spend. */
export function balanceWarnings({
  directory,
  prices,
  balances,
}: Pick<OperatorDeps, "directory" | "prices" | "balances">): string[] {
  const prepaid = directory
    .accounts()
    .filter(({ id, status }) => status === "active" && prices.billingOf(id)?.mode === "prepaid");
  const empty = prepaid.filter(({ id }) => availableOf(balances.balanceOf(id)) <= 0);
  const others = (count: number) =>
    `${counted(count, "more prepaid account")} ${count === 1 ? "has" : "have"} nothing left to spend. See: peyk account list`;
  return firstWarnings({ rows: empty, others }, ({ id, name }) => {
    const account = accountIdText(id);
    return `${name} (${account}) has nothing left to spend; its messages are refused. See: peyk account balance ${account}`;
  });
}
