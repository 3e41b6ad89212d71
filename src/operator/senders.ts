/** The senders of an account: add, list, activate, choose routes, remove; and those that customers ask for. */

import { Type as t } from "@sinclair/typebox";
import { readDropInOptions } from "../domain/drop-in-credential.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { refusedSenderFields, senderFields, senderRequestFields } from "../fields/sender.ts";
import type { Sender } from "../messaging/directory/directory.ts";
import { intakeFileOf } from "../messaging/intake/intake-file-of.ts";
import { isoTime } from "../platform/clock.ts";
import type { SenderRequestRow } from "../store/sender-requests.ts";
import { senderAnswer, timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, fieldSchemas, newSchemas } from "./field-schema.ts";
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

/** What names a sender, and is refused while its account may not use it. */
async function refusedWith(deps: OperatorDeps, { accountId, sender, active }: Sender) {
  const patterns = active ? [] : await deps.patterns.list(accountId);
  const credentials = active ? [] : deps.credentials.directory.all();
  return {
    /** Codes of approved patterns; empty while the sender is active. */
    refusedPatterns: patterns
      .filter(({ pattern }) => pattern.sender === sender && pattern.status === "approved")
      .map(({ pattern }) => pattern.code),
    /** Names of credentials whose devices send under it, and of intakes whose template says it. */
    refusedCredentials: credentials
      .filter(({ id, kind, options }) => {
        const isOwn = deps.credentials.directory.owner(id)?.account.id === accountId;
        return isOwn && kind !== "smpp" && chosenSender(options) === sender;
      })
      .map(({ name }) => name),
  };
}

function chosenSender(options: string): unknown {
  const intake = intakeFileOf(options);
  return intake instanceof Object ? Reflect.get(intake, "sender") : readDropInOptions(options).sender;
}

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
      const updated = await deps.senders.update(accountIdOf(id), sender, change);
      return { ...senderAnswer(updated, deps), ...(await refusedWith(deps, updated)) };
    },
    audit: { action: "sender.update", ...senderAudit },
  }),
  "DELETE /accounts/:id/senders/:sender": changes({
    may: "accounts.change",
    input: { id: t.String(), sender: t.String() },
    run: async (deps, { id, sender }) => {
      const removed = await deps.senders.remove(accountIdOf(id), sender);
      return { ...senderAnswer(removed, deps), removed: true, ...(await refusedWith(deps, removed)) };
    },
    audit: { action: "sender.remove", ...senderAudit },
  }),
};

/** A customer is not told who of the operators answered. */
function requestAnswer(deps: OperatorDeps, row: SenderRequestRow, isCustomer: boolean) {
  return {
    id: row.id,
    account: accountIdText(row.accountId),
    accountName: accountNameOf(deps, row.accountId),
    sender: row.sender,
    note: row.note,
    askedBy: row.askedBy,
    askedAt: isoTime(row.askedAt),
    /** Null while it waits. */
    answer: row.answer,
    answerNote: row.answerNote,
    answeredBy: isCustomer ? null : row.answeredBy,
    answeredAt: timeOrNull(row.answeredAt),
  };
}

const targetOf = (input: Fields, answer: Fields) =>
  `${textIn(answer, "account") ?? textIn(input, "account") ?? ""}/${textIn(answer, "sender") ?? textIn(input, "sender") ?? ""}`;

export const senderRequestAdmin = {
  /** An account's, newest first; without an account those that wait, longest first. */
  "GET /sender-requests": reads({
    may: "sender-requests.read",
    scope: "account",
    input: { account: accountField },
    run: (deps, { account }, { caller }) => {
      const accountId = listedAccountOf(account, deps.directory);
      const { senderRequests } = deps;
      const rows = accountId === undefined ? senderRequests.waiting() : senderRequests.ofAccount(accountId);
      return { rows: rows.map((row) => requestAnswer(deps, row, caller.accountId !== null)) };
    },
  }),
  "POST /sender-requests": changes({
    may: "senders.ask",
    scope: "account",
    input: { account: t.String(), ...newSchemas(senderRequestFields) },
    run: async (deps, { account, sender, note }, { caller }) => {
      const accountId = accountIdOf(account);
      if (deps.directory.account(accountId) === null) throw new OperatorError("account_not_found");
      if (deps.directory.sender(accountId, sender) !== null) throw new OperatorError("sender_exists");
      const asked = { accountId, sender, note, askedBy: caller.actor, askedAt: deps.clock.now() };
      const row = await deps.store.write((tables) => tables.senderRequests.insertRequest(asked));
      if (row === null) throw new OperatorError("sender_request_limit_reached");
      return requestAnswer(deps, row, caller.accountId !== null);
    },
    audit: { action: "sender.ask", target: targetOf, told: ({ note }) => ({ note }) },
  }),
  "POST /sender-requests/:request/refuse": changes({
    may: "accounts.change",
    input: { request: t.Integer({ minimum: 1 }), ...fieldSchemas(refusedSenderFields) },
    run: async (deps, { request, note = "" }, { caller }) => {
      if (deps.senderRequests.byId(request) === null) throw new OperatorError("sender_request_not_found");
      const by = { answeredBy: caller.actor, answeredAt: deps.clock.now() };
      const answer = { answer: "refused", answerNote: note === "" ? null : note, ...by } as const;
      const row = await deps.store.write((tables) => tables.senderRequests.answerRequest(request, answer));
      if (row === null) throw new OperatorError("sender_request_answered");
      return requestAnswer(deps, row, false);
    },
    audit: { action: "sender.refuse", target: targetOf, told: ({ note = "" }) => ({ note }) },
  }),
};
