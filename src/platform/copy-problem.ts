/** Why a copy of the database cannot be made or used, in English. */

interface FileValues {
  file: string;
}

/** A sentence for one finding, a line for each of several. */
export function damageText(file: string, findings: readonly string[]): string {
  return findings.length === 1
    ? `${file} is damaged: ${findings[0]}.`
    : [`${file} is damaged:`, ...findings.map((finding) => `  ${finding}`)].join("\n");
}

export const englishCopyProblems = {
  copy_absent: ({ file }: FileValues) => `There is no file ${file}.`,
  /** `reason`: the system's message. */
  copy_unreadable: ({ file, reason }: FileValues & { reason: string }) => `${file} cannot be read: ${reason}.`,
  /** `reason`: SQLite's message. */
  no_database: ({ file, reason }: FileValues & { reason: string }) =>
    `${file} is no whole copy of a database: ${reason}.`,
  other_database: ({ file }: FileValues) => `${file} is a database, but none of Peyk's.`,
  never_set_up: ({ file }: FileValues) => `${file} is a database of Peyk's that was never set up.`,
  /** Numbers of the last migration: of the copy, and the latest that this build knows. */
  newer_schema: ({ file, schema, known }: FileValues & { schema: number; known: number }) =>
    `${file} was written by a newer Peyk (its schema is ${schema}, this build knows ${known}). Install that version first.`,
  wrong_sum: ({ file }: FileValues) => `${file} is damaged: its bytes are not those that were written.`,
  /** SQLite's messages, at least one. */
  damaged: ({ file, findings }: FileValues & { findings: readonly string[] }) => damageText(file, findings),
  /** In MiB, on that file system. */
  no_room: ({ folder, freeMib, wantedMib }: { folder: string; freeMib: number; wantedMib: number }) =>
    `${folder} has ${freeMib} MiB left, and a copy may need ${wantedMib} MiB. Free some space first.`,
  /** `reason`: the system's message. */
  not_made: ({ file, reason }: FileValues & { reason: string }) => `No copy was made at ${file}: ${reason}.`,
  source_unreadable: ({ folder, reason }: { folder: string; reason: string }) =>
    `The database in ${folder} cannot be copied: ${reason}.`,
  folder_unusable: ({ folder, reason }: { folder: string; reason: string }) =>
    `The folder ${folder} cannot take a copy: ${reason}.`,
  /** The owner of `folder`, the data folder, may not enter `closed`. */
  closed_to_owner: ({ folder, closed }: { folder: string; closed: string }) =>
    `The owner of ${folder}, with whose rights root works there, may not enter ${closed}. Choose another folder, or let that user enter it.`,
  /** Rows with broken references, and their tables. */
  stray_rows: ({ file, rows, tables }: FileValues & { rows: number; tables: readonly string[] }) =>
    `${file} is damaged: ${rows === 1 ? "1 row refers" : `${rows} rows refer`} to nothing (in ${tables.join(", ")}).`,
};

export type CopyProblemValues = {
  [Code in keyof typeof englishCopyProblems]: Parameters<(typeof englishCopyProblems)[Code]>[0];
};
export type CopyProblemCode = keyof CopyProblemValues;
export type CodedCopyProblem<Code extends CopyProblemCode = CopyProblemCode> = {
  [One in Code]: { code: One; values: CopyProblemValues[One] };
}[Code];

export const isCopyProblem = (code: string): code is CopyProblemCode => Object.hasOwn(englishCopyProblems, code);
