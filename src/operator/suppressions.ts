/** Suppression: lists of numbers that must not get messages, one for all accounts and one for each. */
import { Elysia, t } from "elysia";
import { csvLine } from "../domain/csv.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { everyAccount } from "../domain/suppression.ts";
import type { NumbersFile, NumbersObserver } from "../messaging/suppression/import-numbers.ts";
import type { SuppressionService } from "../messaging/suppression/suppression-service.ts";
import { isoTime } from "../platform/clock.ts";
import type { SuppressionEntry } from "../store/suppression.ts";
import { csvAnswer } from "./csv-answer.ts";
import type { OperatorDeps } from "./deps.ts";
import { type ImportLine, streamedImport } from "./group-import.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { layoutFields, layoutOf } from "./import-preview.ts";
import { accountQuerySchema, addressSchema, told } from "./schemas.ts";

export type SuppressionAnswer = ReturnType<typeof suppressionAnswer>;

export function suppressionAnswer({ accountId, recipient, source, detail, addedAt }: SuppressionEntry) {
  return {
    /** Null: on the list of all accounts. */
    account: accountId === everyAccount ? null : accountIdText(accountId),
    number: `+${recipient}`,
    source,
    /** The operator's note, the file of the import, or the line that the keyword was sent to. */
    detail,
    addedAt: isoTime(addedAt),
  };
}

/** Without an account: the list of all accounts. @throws OperatorError `account_not_found` for text that is no id */
export const suppressionListOf = (account: string | undefined): number =>
  account === undefined ? everyAccount : accountIdOf(account);

const noteSchema = t.String({
  maxLength: 120,
  pattern: "^[^\\u0000-\\u001f\\u007f]*$",
  ...told("line", { min: 0, max: 120 }),
});

const listSchema = t.Object({
  /** This account's list alone; every list without it. */
  account: t.Optional(t.String()),
  /** The list of all accounts alone. */
  global: t.Optional(t.Literal("true", { error: "must be true" })),
  limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
  cursor: t.Optional(t.String({ pattern: "^(\\d{1,15}\\.)?\\d{1,15}$", error: "is none that a list has given" })),
});

export function suppressionRoutes({ suppression, log }: OperatorDeps) {
  return new Elysia({ prefix: "/suppressions" })
    .post(
      "/",
      async ({ body: { number, account, note = "" } }) =>
        suppressionAnswer(await suppression.add(suppressionListOf(account), number, note)),
      { body: t.Object({ number: addressSchema, account: t.Optional(t.String()), note: t.Optional(noteSchema) }) },
    )
    .get("/", ({ query }) => listAnswer(suppression, query), { query: listSchema })
    .get("/export", ({ query: { account } }) => csvAnswer(exportPieces(suppression.all(suppressionListOf(account)))), {
      query: accountQuerySchema,
    })
    .post(
      "/import",
      ({ query: { account, name = "", ...chosen }, request }) => {
        const { body } = request;
        const layout = layoutOf(chosen);
        if (body === null) throw invalidRequest([problemOf("body", "empty_file", {})]);
        const accountId = suppressionListOf(account);
        return streamedImport(log, (send) => importNumbers(suppression, { accountId, name, layout, body }, send));
      },
      {
        parse: "none",
        query: t.Object({ account: t.Optional(t.String()), name: t.Optional(noteSchema), ...layoutFields }),
      },
    )
    .get("/:number", ({ params }) => suppression.show(params.number).map(suppressionAnswer))
    .delete(
      "/:number",
      async ({ params, query: { account } }) => ({
        ...suppressionAnswer(await suppression.remove(suppressionListOf(account), params.number)),
        removed: true,
      }),
      { query: accountQuerySchema },
    );
}

function listAnswer(
  suppression: SuppressionService,
  { account, global, limit = 50, cursor }: typeof listSchema.static,
) {
  if (account !== undefined && global !== undefined) {
    throw invalidRequest([{ key: "global", message: "asks for another list than account" }]);
  }
  const isOne = account !== undefined || global !== undefined;
  const after = cursorOf(cursor);
  const found = isOne
    ? suppression.list(suppressionListOf(account), after.recipient, limit)
    : suppression.listAll(after, limit);
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    /** List by list, that of all accounts first, each in the order of its numbers. */
    numbers: found.map(suppressionAnswer),
    /** Where to go on; null at the end. */
    nextCursor: last === undefined ? null : isOne ? String(last.recipient) : `${last.accountId}.${last.recipient}`,
  };
}

/** `LIST.NUMBER`, or the number alone where one list is read. */
function cursorOf(text = "0"): { accountId: number; recipient: number } {
  const [list, number] = text.includes(".") ? text.split(".") : [everyAccount, text];
  return { accountId: Number(list), recipient: Number(number) };
}

async function importNumbers(
  suppression: SuppressionService,
  { accountId, name, layout, body }: NumbersFile & { body: ReadableStream<Uint8Array> },
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
  const imported = await suppression.import(accountId, name, body, observer, layout);
  if (imported === null) return { kind: "wrong", problems };
  const { added, known, ignoredHeaders } = imported;
  return { kind: "done", members: added, merged: known, ignoredColumns: ignoredHeaders };
}

/** A file that the import takes, too. */
async function* exportPieces(slices: AsyncGenerator<SuppressionEntry[]>): AsyncGenerator<string> {
  yield csvLine(["mobile", "source", "detail", "addedAt"]);
  for await (const slice of slices) yield slice.map(exportLine).join("");
}

function exportLine(entry: SuppressionEntry): string {
  const { number, source, detail, addedAt } = suppressionAnswer(entry);
  return csvLine([number, source, detail, addedAt]);
}
