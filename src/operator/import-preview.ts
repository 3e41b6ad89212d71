/**
 * `/groups/preview`: what an import of members or numbers would find in a file, and its problems. Nothing is stored.
 */

import type { Static, TObject } from "@sinclair/typebox";
import { memberColumns } from "../domain/member-columns.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { layoutFields, readingFields } from "../fields/member.ts";
import type { MemberFilePreview } from "../messaging/groups/import-preview.ts";
import type { CsvLayout } from "../messaging/groups/member-csv.ts";
import type { FileReading } from "../messaging/groups/wrong-lines.ts";
import { accountField, newSchemas } from "./field-schema.ts";
import { reads } from "./operation.ts";

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
