/**
 * An account's money: balance, top-ups, corrections and the ledger, and the mail to a customer's user when the balance
 * falls below an amount. Amounts are integers in the currency's smallest unit.
 */

import { Type as t } from "@sinclair/typebox";
import { counted } from "../domain/counted.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { balanceWatchFields, correctionFields, entryFields } from "../fields/money.ts";
import { availableOf } from "../messaging/billing/balance-guard.ts";
import type { EnteredMoney } from "../messaging/billing/balance-service.ts";
import { isoTime } from "../platform/clock.ts";
import { mapInSlices } from "../platform/next-turn.ts";
import type { BalanceWatchRow } from "../store/balance-watches.ts";
import type { Balance, LedgerRow } from "../store/ledger.ts";
import { newToken, tokenHash } from "../users/token.ts";
import { ownAccount } from "./accounts.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { newSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { listed, rangeFields } from "./lists.ts";
import { changes, reads } from "./operation.ts";
import { limitField, told } from "./schemas.ts";
import { firstWarnings } from "./warnings.ts";

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
    /** Top-ups and corrections minus charges; negative if the account owes money. */
    settled: balance.settled,
    /** Reserved for messages that were accepted and not handed over yet. */
    reserved: balance.reserved,
    /** What a prepaid account can still spend. */
    available: availableOf(balance),
  };
}

export type LedgerLineAnswer = ReturnType<typeof ledgerLineAnswer>;

/** Customers do not learn which operator entered a line. */
function ledgerLineAnswer(row: LedgerRow, isCustomer: boolean) {
  const {
    at,
    bookedAt,
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
    /** The time used in statements: differs from `at` if the clock was not trusted, or is behind. */
    bookedAt: isoTime(bookedAt),
    number,
    /** `messages`: all messages charged in one transaction. */
    kind,
    /** For a top-up or a correction. */
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

/** The number of a ledger line, found by time as in earlier releases. */
const cursorText = ({ at, number }: LedgerRow) => `${at.toString(36)}.${number.toString(36)}`;

const numberOf = (cursor: string | undefined): number | null =>
  cursor === undefined ? null : Number.parseInt(cursor.split(".")[1] ?? "", 36);

const enteredTarget = ({ id }: { id: string }) => id;

const entryTold = (
  { amount, note, reference }: { amount: number; note?: string; reference?: string },
  { settled, duplicate }: { settled: number; duplicate: boolean },
) => ({ amount, note: note ?? null, reference: reference ?? null, settled, duplicate });

const enteredAnswer = (deps: OperatorDeps, accountId: number, { balance, duplicate }: EnteredMoney) => ({
  ...balanceAnswer(deps, accountId, balance),
  /** An entry with this reference exists already; nothing was added. */
  duplicate,
});

const idField = { id: t.String() };

export const balanceAdmin = {
  /** Of every account that is charged, or has a balance: who owes the most, or has the least left, first. */
  "GET /balances": reads({
    may: "accounts.read",
    input: rangeFields,
    run: async (deps, range) => {
      const accounts = await mapInSlices(deps.directory.accounts(), ({ id, name }) => ({
        name,
        ...balanceAnswer(deps, id, deps.balances.balanceOf(id)),
      }));
      const charged = accounts.filter(({ billing, settled }) => billing !== "free" || settled !== 0);
      const sorted = charged.toSorted((a, b) => a.available - b.available);
      const sum = (of: (balance: BalanceAnswer) => number) =>
        charged.reduce((all, one) => all + Math.max(0, of(one)), 0);
      return {
        ...listed(sorted, range, ({ account, name }) => `${account} ${name}`),
        /** Of all of them, whatever is asked for. */
        sums: {
          left: sum(({ billing, available }) => (billing === "prepaid" ? available : 0)),
          owed: sum(({ settled }) => -settled),
          reserved: sum(({ reserved }) => reserved),
        },
      };
    },
  }),
  "GET /accounts/:id/balance": reads({
    may: "usage.read",
    scope: ownAccount,
    input: idField,
    run: (deps, { id }) => {
      const accountId = accountIdOf(id);
      return balanceAnswer(deps, accountId, deps.balances.balanceOf(accountId));
    },
  }),
  "POST /accounts/:id/topup": changes({
    may: "accounts.change",
    input: { ...idField, ...newSchemas(entryFields) },
    run: async (deps, { id, amount, note = null, reference = null }, { caller: { actor } }) => {
      const accountId = accountIdOf(id);
      return enteredAnswer(deps, accountId, await deps.balances.topUp(accountId, { amount, note, reference, actor }));
    },
    audit: { action: "account.topup", target: enteredTarget, told: entryTold },
  }),
  "POST /accounts/:id/correct": changes({
    may: "accounts.change",
    input: { ...idField, ...newSchemas(correctionFields) },
    run: async (deps, { id, amount, note, reference = null }, { caller: { actor } }) => {
      if (amount === 0) throw invalidRequest([problemOf("amount", "not_zero", {})]);
      const accountId = accountIdOf(id);
      return enteredAnswer(deps, accountId, await deps.balances.correct(accountId, { amount, note, reference, actor }));
    },
    audit: { action: "account.correct", target: enteredTarget, told: entryTold },
  }),
  "GET /accounts/:id/ledger": reads({
    may: "usage.read",
    scope: ownAccount,
    input: {
      ...idField,
      limit: limitField,
      cursor: t.Optional(t.String({ pattern: "^[0-9a-z]{1,12}\\.[0-9a-z]{1,12}$", ...told("cursor", {}) })),
    },
    run: ({ balances, facts }, { id, limit = 50, cursor }, { caller }) => {
      const rows = balances.ledger(accountIdOf(id), numberOf(cursor), limit);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        currency: facts.currency,
        /** Newest first. */
        lines: rows.map((row) => ledgerLineAnswer(row, caller.accountId !== null)),
        /** Cursor of the next page; null at the end. */
        nextCursor: last === undefined ? null : cursorText(last),
      };
    },
  }),
};

/** Warnings about prepaid accounts with nothing left to spend. */
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

const confirmMs = 24 * 3_600_000;

const accountInput = { account: t.String() };

/** @throws OperatorError `not_found`: only a signed-in customer has one. */
function userIdOf({ userId, accountId }: OperatorCaller): number {
  if (userId === null || accountId === null) throw new OperatorError("not_found");
  return userId;
}

const watchAnswer = (row: BalanceWatchRow | null) =>
  row === null ? null : { below: row.below, mail: row.mail, isConfirmed: row.tokenHash === null };

const answer = ({ portalMails, balanceWatches, facts }: OperatorDeps, userId: number) => ({
  hasMail: portalMails.isSet,
  currency: facts.currency,
  watch: watchAnswer(balanceWatches.of(userId)),
});

export const balanceWatchAdmin = {
  "GET /balance-watch": reads({
    may: "balance.watch",
    scope: "account",
    input: accountInput,
    run: (deps, _, { caller }) => answer(deps, userIdOf(caller)),
  }),
  /** A new address gets a link; an amount alone is changed at once. */
  "PUT /balance-watch": changes({
    may: "balance.watch",
    scope: "account",
    input: { ...accountInput, ...newSchemas(balanceWatchFields) },
    run: async (deps, { account, below, mail }, { caller }) => {
      const { portalMails, store, random, clock, facts, balanceWatches } = deps;
      const userId = userIdOf(caller);
      if (!portalMails.isSet || facts.portalUrl === null) throw new OperatorError("mail_not_set");
      const known = balanceWatches.of(userId);
      if (known !== null && known.mail === mail && known.tokenHash === null) {
        await store.write((tables) => tables.balanceWatches.saveWatch({ ...known, below, toldAt: null }));
        return answer(deps, userId);
      }
      portalMails.count(accountIdOf(account));
      const token = newToken(random);
      const link = { tokenHash: tokenHash(token), expiresAt: clock.now() + confirmMs };
      await store.write((tables) => tables.balanceWatches.saveWatch({ userId, below, mail, ...link, toldAt: null }));
      const amount = `${below.toLocaleString("en")} ${facts.currency}`;
      await portalMails.confirm(mail, { amount, url: `${facts.portalUrl}/balance-alert/confirm/${token}` });
      return answer(deps, userId);
    },
    audit: { action: "balance-watch.set", target: ({ account }) => account, told: ({ below }) => ({ below }) },
  }),
  "POST /balance-watch/confirm": changes({
    may: "balance.watch",
    scope: "account",
    input: { ...accountInput, token: t.String() },
    run: async (deps, { token }, { caller }) => {
      const [userId, now] = [userIdOf(caller), deps.clock.now()];
      const sentHash = tokenHash(token);
      const isConfirmed = await deps.store.write((tables) =>
        tables.balanceWatches.confirmAddress(userId, sentHash, now),
      );
      if (!isConfirmed) throw new OperatorError("not_found");
      return answer(deps, userId);
    },
    audit: { action: "balance-watch.confirm", target: ({ account }) => account },
  }),
  "POST /balance-watch/remove": changes({
    may: "balance.watch",
    scope: "account",
    input: accountInput,
    run: async (deps, _, { caller }) => {
      const userId = userIdOf(caller);
      await deps.store.write((tables) => tables.balanceWatches.remove(userId));
      return answer(deps, userId);
    },
    audit: { action: "balance-watch.remove", target: ({ account }) => account },
  }),
};
