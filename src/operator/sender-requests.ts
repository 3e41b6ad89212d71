/** Senders that customers ask for: asking, what waits, and the answers. Adding the sender answers too: see `senders.ts`. */
import { Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { refusedSenderFields, senderRequestFields } from "../fields/sender.ts";
import { isoTime } from "../platform/clock.ts";
import type { SenderRequestRow } from "../store/sender-requests.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField, fieldSchemas, newSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

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
