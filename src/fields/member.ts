/** The fields of lists of numbers: groups, suppression lists, and the files that fill them. */
import { leftOutLinesMax } from "../domain/import-problem.ts";
import { suppressedLists } from "../domain/suppression.ts";
import { ofAccount } from "./account.ts";
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";

export const groupFields = {
  account: ofAccount,
  code: { ...routeName, isRequired: true, label: "Code" },
  name: { kind: "line", max: 120, isRequired: true, label: "Name" },
} as const satisfies FieldTable;

/** Who approves or suspends a group or a pattern. */
export const approvalFields = {
  by: { kind: "line", max: 120, isRequired: true, label: "By" },
} as const satisfies FieldTable;

const note = { kind: "line", min: 0, max: 120, label: "Note" } as const;

export const suppressionFields = { note } as const satisfies FieldTable;

/** Of the sender or of the service; of a message's recipient. */
export const blockFields = {
  list: { kind: "choice", words: suppressedLists, isRequired: true, label: "List" },
  note: { kind: "line", max: 120, label: "Note" },
} as const satisfies FieldTable;

/** How a file's columns are read; without `columns`, the file's header decides. */
export const layoutFields = {
  /** The meaning of each column, in order: `mobile,-,firstName`. */
  columns: { kind: "text", max: 4_000, label: "Columns" },
  /** Whether the first line holds the column names; `yes` by default. */
  header: { kind: "choice", words: ["yes", "no"], label: "The first line holds names" },
} as const satisfies FieldTable;

/** Of an import, which by default takes every line or nothing. */
export const readingFields = {
  ...layoutFields,
  /** Up to this many wrong lines are left out; with more, nothing is imported. */
  leaveOut: { kind: "number", min: 0, max: leftOutLinesMax, label: "Wrong lines left out" },
} as const satisfies FieldTable;

/** Of numbers for a suppression list. */
export const numbersFileFields = { name: { ...note, label: "File" } } as const satisfies FieldTable;
