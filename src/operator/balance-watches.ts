/** A customer's user is told by mail when the balance falls below an amount, at an address that the user has confirmed. */
import { Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { balanceWatchFields } from "../fields/money.ts";
import type { BalanceWatchRow } from "../store/balance-watches.ts";
import { newToken, tokenHash } from "../users/token.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { newSchemas } from "./field-schema.ts";
import { accountIdOf } from "./ids.ts";
import { changes, reads } from "./operation.ts";

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
