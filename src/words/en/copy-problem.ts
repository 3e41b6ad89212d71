/** English: why a copy of the database cannot be made or used. */
import type { CodedCopyProblem, CopyProblemCode, CopyProblemValues } from "../../platform/copy-problem.ts";

export type CopyProblemTexts = { readonly [Code in CopyProblemCode]: (values: CopyProblemValues[Code]) => string };

/** A sentence for one finding, a line for each of several. */
export function damageText(file: string, findings: readonly string[]): string {
  return findings.length === 1
    ? `${file} is damaged: ${findings[0]}.`
    : [`${file} is damaged:`, ...findings.map((finding) => `  ${finding}`)].join("\n");
}

export const englishCopyProblems: CopyProblemTexts = {
  copy_absent: ({ file }) => `There is no file ${file}.`,
  copy_unreadable: ({ file, reason }) => `${file} cannot be read: ${reason}.`,
  no_database: ({ file, reason }) => `${file} is no whole copy of a database: ${reason}.`,
  other_database: ({ file }) => `${file} is a database, but none of Peyk's.`,
  never_set_up: ({ file }) => `${file} is a database of Peyk's that was never set up.`,
  newer_schema: ({ file, schema, known }) =>
    `${file} was written by a newer Peyk (its schema is ${schema}, this build knows ${known}). Install that version first.`,
  wrong_sum: ({ file }) => `${file} is damaged: its bytes are not those that were written.`,
  damaged: ({ file, findings }) => damageText(file, findings),
  no_room: ({ folder, freeMib, wantedMib }) =>
    `${folder} has ${freeMib} MiB left, and a copy may need ${wantedMib} MiB. Free some space first.`,
  not_made: ({ file, reason }) => `No copy was made at ${file}: ${reason}.`,
  source_unreadable: ({ folder, reason }) => `The database in ${folder} cannot be copied: ${reason}.`,
  folder_unusable: ({ folder, reason }) => `The folder ${folder} cannot take a copy: ${reason}.`,
  closed_to_owner: ({ folder, closed }) =>
    `The owner of ${folder}, with whose rights root works there, may not enter ${closed}. Choose another folder, or let that user enter it.`,
  stray_rows: ({ file, rows, tables }) =>
    `${file} is damaged: ${rows === 1 ? "1 row refers" : `${rows} rows refer`} to nothing (in ${tables.join(", ")}).`,
};

export function copyProblemText<Code extends CopyProblemCode>(
  { code, values }: CodedCopyProblem<Code>,
  texts = englishCopyProblems,
): string {
  return texts[code](values);
}
