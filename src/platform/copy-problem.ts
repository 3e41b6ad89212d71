/** Why a copy of the database cannot be made or used: a code and its values. */

interface FileValues {
  file: string;
}

/** The values in each sentence. */
export interface CopyProblemValues {
  copy_absent: FileValues;
  /** `reason`: the system's message. */
  copy_unreadable: FileValues & { reason: string };
  /** `reason`: SQLite's message. */
  no_database: FileValues & { reason: string };
  other_database: FileValues;
  never_set_up: FileValues;
  /** Numbers of the last migration: of the copy, and the latest that this build knows. */
  newer_schema: FileValues & { schema: number; known: number };
  wrong_sum: FileValues;
  /** SQLite's messages, at least one. */
  damaged: FileValues & { findings: readonly string[] };
  /** In MiB, on that file system. */
  no_room: { folder: string; freeMib: number; wantedMib: number };
  /** `reason`: the system's message. */
  not_made: FileValues & { reason: string };
  source_unreadable: { folder: string; reason: string };
  folder_unusable: { folder: string; reason: string };
  /** The owner of `folder`, the data folder, may not enter `closed`. */
  closed_to_owner: { folder: string; closed: string };
  /** Rows with broken references, and their tables. */
  stray_rows: FileValues & { rows: number; tables: readonly string[] };
}

export type CopyProblemCode = keyof CopyProblemValues;

export type CodedCopyProblem<Code extends CopyProblemCode = CopyProblemCode> = {
  [One in Code]: { code: One; values: CopyProblemValues[One] };
}[Code];

const codes: Readonly<Record<CopyProblemCode, true>> = {
  copy_absent: true,
  copy_unreadable: true,
  no_database: true,
  other_database: true,
  never_set_up: true,
  newer_schema: true,
  wrong_sum: true,
  damaged: true,
  no_room: true,
  not_made: true,
  source_unreadable: true,
  folder_unusable: true,
  closed_to_owner: true,
  stray_rows: true,
};

export const isCopyProblem = (code: string): code is CopyProblemCode => Object.hasOwn(codes, code);
