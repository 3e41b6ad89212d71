/** `/groups/preview`: what an import of members or numbers would find in a file, and what is wrong with it. Nothing is stored. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { memberColumns } from "../domain/member-columns.ts";
import { invalidRequest } from "../domain/operator-error.ts";
import type { MemberFilePreview } from "../messaging/groups/import-preview.ts";
import type { CsvLayout } from "../messaging/groups/member-csv.ts";
import { reads } from "./operation.ts";
import { accountField, oneOf } from "./schemas.ts";

/** Stands for a column that is left out. */
const leftOut = "-";

/** How the columns of a file are read; without `columns` its header says so. */
export const layoutFields = {
  /** What each column is, in their order: `mobile,-,firstName`. */
  columns: t.Optional(t.String({ maxLength: 4_000 })),
  /** Whether the first line names the columns; `yes` when left out. */
  header: t.Optional(oneOf(["yes", "no"])),
};

/** Null where none was chosen. @throws OperatorError `invalid` */
export function layoutOf({ columns, header = "yes" }: Static<TObject<typeof layoutFields>>): CsvLayout | null {
  if (columns === undefined) return null;
  const chosen = columns.split(",").map((name) => {
    const column = memberColumns.find((known) => known === name);
    if (column !== undefined || name === leftOut) return column ?? null;
    throw invalidRequest([{ key: "columns", message: `holds ${memberColumns.join(", ")} or ${leftOut}, by commas` }]);
  });
  return { columns: chosen, hasHeader: header === "yes" };
}

export type ImportPreviewAnswer = ReturnType<typeof previewAnswer>;

function previewAnswer({ layout, sample, ...found }: MemberFilePreview, membersMax: number) {
  return {
    /** As `columns` takes them; what was chosen, or else what the file looks like. */
    columns: layout.columns.map((column) => column ?? leftOut),
    header: layout.hasHeader,
    /** The first rows as they stand, a header among them. */
    sample,
    /** `members`: numbers, each once; `repeated`: lines that repeat one; `problems`: the first hundred wrong lines. */
    ...found,
    /** Of a group; a suppression list has no limit. */
    membersMax,
  };
}

export const importPreviewAdmin = {
  "POST /groups/preview": reads({
    may: "groups.change",
    scope: "account",
    takesFile: true,
    input: { ...layoutFields, account: accountField },
    run: async ({ groups }, { account: _, ...chosen }, { file, signal }) =>
      previewAnswer(await groups.preview(await file.bytes(), layoutOf(chosen), signal), groups.membersMax),
  }),
};
