/**
 * The answer to an import of members or numbers: a stream of JSON lines with its progress, its problems, and finally
 * its outcome; and what a file would bring, looked through before.
 */

import type { Static, TObject } from "@sinclair/typebox";
import type { ImportLineProblem } from "../domain/import-problem.ts";
import { memberColumns } from "../domain/member-columns.ts";
import { invalidRequest, type OperatorErrorCode, refusalText } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { layoutFields, readingFields } from "../fields/member.ts";
import type { CodeReference } from "../messaging/code-reference.ts";
import type { GroupService } from "../messaging/groups/group-service.ts";
import type { ImportObserver } from "../messaging/groups/import-members.ts";
import type { MemberFilePreview } from "../messaging/groups/import-preview.ts";
import type { CsvLayout } from "../messaging/groups/member-csv.ts";
import type { FileReading } from "../messaging/groups/wrong-lines.ts";
import type { Logger } from "../platform/log.ts";
import { refusalFor } from "./errors.ts";
import { accountField, newSchemas } from "./field-schema.ts";
import { reads, StreamedAnswer } from "./operation.ts";

/** One line of the stream; the last one is `done`, `wrong` or `refused`. */
export type ImportLine =
  | { kind: "progress"; lines: number; members: number }
  | ({ kind: "problem" } & ImportLineProblem)
  /** The number is on an earlier line as well; the two become one member. */
  | { kind: "repeated"; line: number; firstLine: number; recipient: string }
  /** For numbers: `members` are new on the list, `merged` were on it before or occur twice; `leftOut`: wrong lines. */
  | { kind: "done"; members: number; merged: number; leftOut: number; ignoredColumns: readonly string[] }
  /** The count of `problem` lines; nothing was imported. */
  | { kind: "wrong"; problems: number }
  | { kind: "refused"; code: OperatorErrorCode; message: string };

const pieceBytes = 64 * 1024;

interface MemberListFile {
  bytes: Uint8Array;
  reading: FileReading;
}

/** The file in pieces, so that other requests are served in between. */
async function* pieces(file: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < file.length; start += pieceBytes) yield file.subarray(start, start + pieceBytes);
}

/** Imports the file and streams the outcome. */
export function importAnswer(
  groups: GroupService,
  log: Logger,
  reference: CodeReference,
  file: MemberListFile,
): StreamedAnswer<ImportLine> {
  return streamedImport(log, (send) => importMembers(groups, reference, file, send));
}

/** Runs the import and streams what it sends; its result is the last line. It continues if the client disconnects. */
export function streamedImport(
  log: Logger,
  run: (send: (line: ImportLine) => void) => Promise<ImportLine>,
): StreamedAnswer<ImportLine> {
  const encoder = new TextEncoder();
  const ended = Promise.withResolvers<ImportLine>();
  let disconnected = false;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (line: ImportLine) => {
        if (!disconnected) controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      };
      const last = await run(send).catch((reason: unknown): ImportLine => {
        const refusal = refusalFor(log, reason);
        return { kind: "refused", code: refusal.code, message: refusalText(refusal) };
      });
      ended.resolve(last);
      send(last);
      if (!disconnected) controller.close();
    },
    cancel() {
      disconnected = true;
    },
  });
  return new StreamedAnswer("application/x-ndjson", body, ended.promise);
}

async function importMembers(
  groups: GroupService,
  reference: CodeReference,
  { bytes, reading }: MemberListFile,
  send: (line: ImportLine) => void,
): Promise<ImportLine> {
  let problems = 0;
  const observer: ImportObserver = {
    progress: (lines, members) => send({ kind: "progress", lines, members }),
    repeated: (line, firstLine, recipient) => send({ kind: "repeated", line, firstLine, recipient }),
    problem(line, problem) {
      problems += 1;
      send({ kind: "problem", line, ...problem });
    },
  };
  const imported = await groups.import(reference, pieces(bytes), observer, reading);
  if (imported === null) return { kind: "wrong", problems };
  const { memberCount, mergedCount, leftOutCount: leftOut, ignoredHeaders } = imported;
  return { kind: "done", members: memberCount, merged: mergedCount, leftOut, ignoredColumns: ignoredHeaders };
}

/** Marks a column to skip. */
const leftOut = "-";

const layoutSchemas = newSchemas(layoutFields);

export const readingSchemas = newSchemas(readingFields);

/** @throws OperatorError `invalid` */
export const readingOf = ({ leaveOut = 0, ...chosen }: Static<TObject<typeof readingSchemas>>): FileReading => ({
  layout: layoutOf(chosen),
  leaveOutMax: leaveOut,
});

/** Null if none was chosen. @throws OperatorError `invalid` */
export function layoutOf({ columns, header = "yes" }: Static<TObject<typeof layoutSchemas>>): CsvLayout | null {
  if (columns === undefined) return null;
  const chosen = columns.split(",").map((name) => {
    const column = memberColumns.find((known) => known === name);
    if (column !== undefined || name === leftOut) return column ?? null;
    throw invalidRequest([problemOf("columns", "csv_columns", { words: [...memberColumns, leftOut] })]);
  });
  return { columns: chosen, hasHeader: header === "yes" };
}

export type ImportPreviewAnswer = ReturnType<typeof previewAnswer>;

function previewAnswer({ layout, sample, ...found }: MemberFilePreview, membersMax: number) {
  return {
    /** In the format of `columns`; the chosen ones, or else those detected in the file. */
    columns: layout.columns.map((column) => column ?? leftOut),
    header: layout.hasHeader,
    /** The first rows verbatim, including a header. */
    sample,
    /** `members`: distinct numbers; `repeated`: lines that repeat one; `problems`: the first hundred wrong lines. */
    ...found,
    /** For a group; a suppression list has no limit. */
    membersMax,
  };
}

export const importPreviewAdmin = {
  "POST /groups/preview": reads({
    may: "groups.change",
    scope: "account",
    takesFile: true,
    input: { ...layoutSchemas, account: accountField },
    run: async ({ groups }, { account: _, ...chosen }, { file, signal }) =>
      previewAnswer(await groups.preview(await file.bytes(), layoutOf(chosen), signal), groups.membersMax),
  }),
};
