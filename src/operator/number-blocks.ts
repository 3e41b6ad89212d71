/** Blocking the recipient of a message: on its account's suppression list, or on that of every account. */
import { Type as t } from "@sinclair/typebox";
import { OperatorError } from "../domain/operator-error.ts";
import { roleMay } from "../domain/roles.ts";
import { everyAccount } from "../domain/suppression.ts";
import { blockFields } from "../fields/member.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { newSchemas } from "./field-schema.ts";
import { accountIdText } from "./ids.ts";
import { accountNameOf } from "./lists.ts";
import { changes, reads, textIn } from "./operation.ts";
import { suppressionAnswer } from "./suppressions.ts";

/** Those who only support customers do not decide for every account. */
const mayBlockForAll = ({ role }: OperatorCaller): boolean => role === null || roleMay(role, "suppression.change");

const codeField = { trackingCode: t.String() };

const rowOf = ({ messages }: OperatorDeps, trackingCode: string) => messages.show(trackingCode).row;

/** As the entry's own operation names it. */
const targetOf = (account: string | null, number: string): string => `${account ?? "all"}/${number}`;

export const numberBlockAdmin = {
  /** What blocking the message's recipient would stop, and on which lists it is already. */
  "GET /messages/:trackingCode/block": reads({
    may: "numbers.block",
    input: codeField,
    run: (deps, { trackingCode }, { caller }) => {
      const { accountId, recipient } = rowOf(deps, trackingCode);
      const account = deps.directory.account(accountId);
      const blocked = (list: number) => deps.suppression.inList(list, recipient) !== null;
      return {
        number: recipient,
        account: accountIdText(accountId),
        accountName: accountNameOf(deps, accountId),
        /** Which of the account's messages the lists stop. */
        stops: account?.suppressionScope ?? ("bulk" as const),
        isBlocked: { account: blocked(accountId), all: blocked(everyAccount) },
        mayBlockForAll: mayBlockForAll(caller),
      };
    },
  }),
  "POST /messages/:trackingCode/block": changes({
    may: "numbers.block",
    input: { ...codeField, ...newSchemas(blockFields) },
    run: async (deps, { trackingCode, list, note = "" }, { caller }) => {
      if (list === "all" && !mayBlockForAll(caller)) throw new OperatorError("not_found");
      const { accountId, recipient } = rowOf(deps, trackingCode);
      return suppressionAnswer(await deps.suppression.add(list === "all" ? everyAccount : accountId, recipient, note));
    },
    audit: {
      action: "suppression.add",
      target: (input, answer) => {
        const number = textIn(answer, "number");
        return number === undefined ? input.trackingCode : targetOf(textIn(answer, "account") ?? null, number);
      },
      state: (deps, input, answer) => {
        const row = foundOrNull(() => rowOf(deps, input.trackingCode));
        const list = input.list === "all" ? everyAccount : (row?.accountId ?? everyAccount);
        const found = row === null ? null : deps.suppression.inList(list, row.recipient);
        return found === null || textIn(answer, "number") === undefined ? null : suppressionAnswer(found);
      },
    },
  }),
};
