/** Suppression: lists of numbers that must not receive messages, one for all accounts and one for each. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { csvLine } from "../domain/csv.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { everyAccount } from "../domain/suppression.ts";
import { numbersFileFields, suppressionFields } from "../fields/member.ts";
import type { NumbersFile, NumbersObserver } from "../messaging/suppression/import-numbers.ts";
import type { SuppressionService } from "../messaging/suppression/suppression-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { SuppressionEntry } from "../store/suppression.ts";
import { csvAnswer } from "./csv-answer.ts";
import type { OperatorDeps } from "./deps.ts";
import { foundOrNull } from "./errors.ts";
import { accountField, addressSchema, newSchemas } from "./field-schema.ts";
import { type ImportLine, streamedImport } from "./group-import.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { readingOf, readingSchemas } from "./import-preview.ts";
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
