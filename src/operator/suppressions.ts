/** Suppression: lists of numbers that must not receive messages, one for all accounts and one for each. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { csvLine } from "../domain/csv.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { roleMay } from "../domain/roles.ts";
import { everyAccount } from "../domain/suppression.ts";
import { blockFields, numbersFileFields, suppressionFields } from "../fields/member.ts";
import type { NumbersFile, NumbersObserver } from "../messaging/suppression/import-numbers.ts";
import type { SuppressionService } from "../messaging/suppression/suppression-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { SuppressionEntry } from "../store/suppression.ts";
import type { OperatorCaller } from "./caller.ts";
import { csvAnswer } from "./csv-answer.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, addressSchema, newSchemas } from "./field-schema.ts";
import { type ImportLine, readingOf, readingSchemas, streamedImport } from "./group-import.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { accountNameOf } from "./lists.ts";
import { changes, type Fields, reads, textIn } from "./operation.ts";
import { limitField, told } from "./schemas.ts";

export type SuppressionAnswer = ReturnType<typeof suppressionAnswer>;

export function suppressionAnswer({ accountId, recipient, source, detail, addedAt }: SuppressionEntry) {
  return {
    /** Null: on the list of all accounts. */
    account: accountId === everyAccount ? null : accountIdText(accountId),
    number: `+${recipient}`,
    source,
    /** The operator's note, the import file, or the line that the keyword was sent to. */
    detail,
    addedAt: isoTime(addedAt),
  };
}

/** Without an account: the list of all accounts. @throws OperatorError `account_not_found` for text that is not an id */
export const suppressionListOf = (account: string | undefined): number =>
  account === undefined ? everyAccount : accountIdOf(account);

const listFields = {
  /** Only this account's list; every list if omitted. */
  account: t.Optional(t.String()),
  /** Only the list of all accounts. */
  global: t.Optional(t.Literal(true, told("yes_or_no", {}))),
  limit: limitField,
  cursor: t.Optional(t.String({ pattern: "^(\\d{1,15}\\.)?\\d{1,15}$", ...told("cursor", {}) })),
};

/** The account that owns the list, or `all`. */
const listTextOf = (input: Fields, answer: Fields) => textIn(answer, "account") ?? textIn(input, "account") ?? "all";
const numberOf = (input: Fields, answer: Fields) => textIn(answer, "number") ?? textIn(input, "number") ?? "";

const suppressionAudit = {
  target: (input: Fields, answer: Fields) => `${listTextOf(input, answer)}/${numberOf(input, answer)}`,
  state: ({ suppression }: OperatorDeps, input: Fields, answer: Fields) => {
    const list = foundOrNull(() => suppressionListOf(textIn(answer, "account") ?? textIn(input, "account")));
    const found = list === null ? null : suppression.inList(list, numberOf(input, answer));
    return found === null ? null : suppressionAnswer(found);
  },
};

const suppressionReads = {
  "GET /suppressions": reads({
    may: "suppression.read",
    input: listFields,
    run: ({ suppression }, asked) => listAnswer(suppression, asked),
  }),
  "GET /suppressions/export": reads({
    may: "suppression.read",
    input: { account: accountField },
    run: ({ suppression }, { account }) => csvAnswer(exportPieces(suppression.all(suppressionListOf(account)))),
  }),
  "GET /suppressions/:number": reads({
    may: "suppression.read",
    input: { number: t.String() },
    run: ({ suppression }, { number }) => suppression.show(number).map(suppressionAnswer),
  }),
};

export const suppressionAdmin = {
  ...suppressionReads,
  "POST /suppressions": changes({
    may: "suppression.change",
    input: { number: addressSchema, account: accountField, ...newSchemas(suppressionFields) },
    run: async ({ suppression }, { number, account, note = "" }) =>
      suppressionAnswer(await suppression.add(suppressionListOf(account), number, note)),
    audit: { action: "suppression.add", ...suppressionAudit },
  }),
  "POST /suppressions/import": changes({
    may: "suppression.change",
    takesFile: true,
    input: { account: accountField, ...newSchemas(numbersFileFields), ...readingSchemas },
    run: ({ suppression, log }, { account, name = "", ...chosen }, { file }) => {
      const reading = readingOf(chosen);
      const body = file.stream();
      if (body === null) throw invalidRequest([problemOf("body", "empty_file", {})]);
      const accountId = suppressionListOf(account);
      return streamedImport(log, (send) => importNumbers(suppression, { accountId, name, ...reading, body }, send));
    },
    audit: {
      action: "suppression.import",
      target: listTextOf,
      told: ({ name = "" }, end) => {
        if (end.kind !== "done") return {};
        const { members: added, merged: known, leftOut } = end;
        return { file: name, added, known, ...(leftOut > 0 && { leftOut }) };
      },
    },
  }),
  "DELETE /suppressions/:number": changes({
    may: "suppression.change",
    input: { number: t.String(), account: accountField },
    run: async ({ suppression }, { number, account }) => ({
      ...suppressionAnswer(await suppression.remove(suppressionListOf(account), number)),
      removed: true,
    }),
    audit: { action: "suppression.remove", ...suppressionAudit },
  }),
};

function listAnswer(
  suppression: SuppressionService,
  { account, global, limit = 50, cursor }: Static<TObject<typeof listFields>>,
) {
  if (account !== undefined && global !== undefined) {
    throw invalidRequest([problemOf("global", "asks_otherwise", { key: "account" })]);
  }
  const isOne = account !== undefined || global !== undefined;
  const after = cursorOf(cursor);
  const found = isOne
    ? suppression.list(suppressionListOf(account), after.recipient, limit)
    : suppression.listAll(after, limit);
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    /** List by list, the one of all accounts first, each ordered by number. */
    numbers: found.map(suppressionAnswer),
    /** Cursor of the next page; null at the end. */
    nextCursor: last === undefined ? null : isOne ? String(last.recipient) : `${last.accountId}.${last.recipient}`,
  };
}

/** `LIST.NUMBER`, or the number alone when one list is read. */
function cursorOf(text = "0"): { accountId: number; recipient: number } {
  const [list, number] = text.includes(".") ? text.split(".") : [everyAccount, text];
  return { accountId: Number(list), recipient: Number(number) };
}

async function importNumbers(
  suppression: SuppressionService,
  { accountId, name, body, ...reading }: NumbersFile & { body: ReadableStream<Uint8Array> },
  send: (line: ImportLine) => void,
): Promise<ImportLine> {
  let problems = 0;
  const observer: NumbersObserver = {
    progress: (lines, members) => send({ kind: "progress", lines, members }),
    problem(line, problem) {
      problems += 1;
      send({ kind: "problem", line, ...problem });
    },
  };
  const imported = await suppression.import(accountId, name, body, observer, reading);
  if (imported === null) return { kind: "wrong", problems };
  const { added, known, leftOut, ignoredHeaders } = imported;
  return { kind: "done", members: added, merged: known, leftOut, ignoredColumns: ignoredHeaders };
}

/** In a file format that the import accepts. */
async function* exportPieces(slices: AsyncGenerator<SuppressionEntry[]>): AsyncGenerator<string> {
  yield csvLine(["mobile", "source", "detail", "addedAt"]);
  for await (const slice of slices) yield slice.map(exportLine).join("");
}

function exportLine(entry: SuppressionEntry): string {
  const { number, source, detail, addedAt } = suppressionAnswer(entry);
  return csvLine([number, source, detail, addedAt]);
}

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
