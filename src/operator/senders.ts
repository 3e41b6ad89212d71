/** The senders of an account: add, list, activate, choose routes, remove. */

import { Type as t } from "@sinclair/typebox";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { senderFields } from "../fields/sender.ts";
import { senderAnswer } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { fieldSchemas, newSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, isNamed, listed, ownedRangeFields } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";
import { truthField } from "./schemas.ts";

const senderNameOf = (input: Fields) => textIn(input, "sender") ?? "";

const senderAudit = {
  target: (input: Fields, answer: Fields) =>
    `${textIn(answer, "account") ?? textIn(input, "id")}/${senderNameOf(input)}`,
  state: (deps: OperatorDeps, input: Fields) => {
    const senders = foundOrNull(() => deps.directory.sendersOf(accountIdOf(textIn(input, "id") ?? "")));
    const found = senders?.find(({ sender }) => sender === senderNameOf(input));
    return found === undefined ? null : senderAnswer(found, deps);
  },
};

export const senderAdmin = {
  "GET /senders": reads({
    may: "messages.read",
    scope: "account",
    input: { ...ownedRangeFields, name: t.Optional(t.String({ maxLength: 200 })), active: truthField },
    run: (deps, { account, name, active, ...range }) => {
      const { directory } = deps;
      const accountId = listedAccountOf(account, directory);
      const accountIds = accountId === undefined ? directory.accounts().map(({ id }) => id) : [accountId];
      const wanted = accountIds
        .flatMap((id) => directory.sendersOf(id))
        .filter((one) => isNamed(name, one.sender) && (active === undefined || one.active === active));
      const part = listed(wanted, range, ({ accountId: id, sender }) =>
        [sender, accountIdText(id), accountNameOf(deps, id)].join(" "),
      );
      return answerRows(part, (sender) => ({
        ...senderAnswer(sender, deps),
        accountName: accountNameOf(deps, sender.accountId),
      }));
    },
  }),
  "POST /accounts/:id/senders": changes({
    may: "accounts.change",
    input: {
      id: t.String(),
      ...newSchemas(senderFields),
    },
    run: async (deps, { id, sender, active = true, routes = [], plan = null }, { caller }) => {
      const added = await deps.senders.add(accountIdOf(id), sender, active, routes, plan);
      // Its customer may have asked for it.
      const now = deps.clock.now();
      await deps.store.write((tables) => tables.senderRequests.answerAdded(added.accountId, sender, caller.actor, now));
      return senderAnswer(added, deps);
    },
    audit: { action: "sender.add", ...senderAudit },
  }),
  "PATCH /accounts/:id/senders/:sender": changes({
    may: "accounts.change",
    input: {
      id: t.String(),
      ...fieldSchemas(senderFields),
      sender: t.String(),
    },
    run: async (deps, { id, sender, ...change }) => {
      if (Object.values(change).every((value) => value === undefined))
        throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      return senderAnswer(await deps.senders.update(accountIdOf(id), sender, change), deps);
    },
    audit: { action: "sender.update", ...senderAudit },
  }),
  "DELETE /accounts/:id/senders/:sender": changes({
    may: "accounts.change",
    input: { id: t.String(), sender: t.String() },
    run: async (deps, { id, sender }) => {
      const removed = await deps.senders.remove(accountIdOf(id), sender);
      return { ...senderAnswer(removed, deps), removed: true };
    },
    audit: { action: "sender.remove", ...senderAudit },
  }),
};
