/** Lines: receiving numbers, each assigned to one account. */

import { Type as t } from "@sinclair/typebox";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { normaliseAddress } from "../domain/phone-number.ts";
import { lineFields, newLineFields } from "../fields/line.ts";
import { LineRefused } from "../inbound/line-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { LineRow } from "../store/lines.ts";
import { programProblem } from "./credential-programs.ts";
import type { OperatorDeps } from "./deps.ts";
import { newSchemas } from "./field-schema.ts";
import { accountIdOf, accountIdText, credentialIdOf, credentialIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, ownedRangeFields, rangeIn, wholeList } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";

export type LineAnswer = ReturnType<typeof lineAnswer>;

function lineAnswer({ number, accountId, createdAt, credentialId }: LineRow, deps: Pick<OperatorDeps, "credentials">) {
  return {
    number,
    account: accountIdText(accountId),
    createdAt: isoTime(createdAt),
    credential: credentialId === null ? null : credentialIdText(credentialId),
    /** Why the credential gets none of its texts; null if it does. */
    credentialProblem: programProblem(credentialId, deps, true),
  };
}

/** Maps errors of the line service to those of the operator API. */
async function withRefusals<T>(number: string, asked: () => T | Promise<T>): Promise<T> {
  try {
    return await asked();
  } catch (reason) {
    if (!(reason instanceof LineRefused)) throw reason;
    if (reason.code === "line_invalid") throw invalidRequest([problemOf("number", "line_number", { value: number })]);
    throw new OperatorError(reason.code, reason.detail);
  }
}

const numberOf = (input: Fields, answer: Fields) => textIn(answer, "number") ?? textIn(input, "number") ?? "";

const lineAudit = {
  target: numberOf,
  state: (deps: OperatorDeps, input: Fields, answer: Fields) => {
    const number = normaliseAddress(numberOf(input, answer), deps.facts.defaultRegion);
    const found = deps.inbound.lines.all().find((one) => one.number === number);
    if (found === undefined) return null;
    const { credentialProblem: _, ...kept } = lineAnswer(found, deps);
    return kept;
  },
};

export const lineAdmin = {
  "GET /lines": reads({
    may: "inbound.read",
    scope: "account",
    input: ownedRangeFields,
    run: async (deps, { account, ...asked }) => {
      const { lines } = deps.inbound;
      const accountId = listedAccountOf(account, deps.directory);
      const isWanted = (line: LineRow) => accountId === undefined || line.accountId === accountId;
      const range = rangeIn(asked);
      const part = range === null ? wholeList(lines.all().filter(isWanted)) : await lines.part(range, accountId);
      return answerRows(part, (line) => ({
        ...lineAnswer(line, deps),
        accountName: accountNameOf(deps, line.accountId),
      }));
    },
  }),
  "GET /lines/:number": reads({
    may: "accounts.change",
    input: { number: t.String() },
    run: async (deps, { number }) =>
      lineAnswer(await withRefusals(number, () => deps.inbound.lines.show(number)), deps),
  }),
  "POST /lines": changes({
    may: "accounts.change",
    input: newSchemas(newLineFields),
    run: async (deps, { number, account }) => {
      const added = await withRefusals(number, () => deps.inbound.lines.add(accountIdOf(account), number));
      /** `madeAvailable`: messages that had arrived before the line was added. */
      return { ...lineAnswer(added.line, deps), madeAvailable: added.madeAvailable };
    },
    audit: { action: "line.add", ...lineAudit },
  }),
  "PUT /lines/:number/credential": changes({
    may: "accounts.change",
    input: { number: t.String(), ...newSchemas(lineFields) },
    run: async (deps, { number, credential }) => {
      const { inbound, credentials } = deps;
      const id = credential === null ? null : credentialIdOf(credential);
      const line = await withRefusals(number, () => inbound.lines.show(number));
      const owner = id === null ? null : credentials.directory.owner(id);
      if (id !== null && owner?.account.id !== line.accountId) throw new OperatorError("credential_not_found");
      return lineAnswer(await inbound.lines.give(line.number, id), deps);
    },
    audit: { action: "line.update", ...lineAudit },
  }),
  "DELETE /lines/:number": changes({
    may: "accounts.change",
    input: { number: t.String() },
    run: async (deps, { number }) => {
      const removed = await withRefusals(number, () => deps.inbound.lines.remove(number));
      return { ...lineAnswer(removed, deps), removed: true };
    },
    audit: { action: "line.remove", ...lineAudit },
  }),
};
