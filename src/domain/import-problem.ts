/** Problems of a file of members or numbers: a code and its values. */
import type { MemberColumn } from "./member-columns.ts";

/** An import leaves out at most this many wrong lines, all of which the console keeps; with more it is probably the wrong file. */
export const leftOutLinesMax = 10_000;

/** The values in each sentence. */
export interface ImportProblemValues {
  not_utf8: object;
  /** Not allowed in any text. */
  zero_byte: object;
  /** Characters; reading stops there. */
  line_too_long: { max: number };
  empty_file: object;
  /** `reason`: the CSV parser's message. */
  unreadable_line: { reason: string };
  quote_not_closed: object;
  /** Text between a field's closing quotation mark and its end. */
  text_after_quote: object;
  /** The field contains a line break. */
  field_over_lines: object;
  /** Two columns of the header have the same meaning. */
  column_named_twice: { column: MemberColumn };
  column_chosen_twice: { column: MemberColumn };
  /** `found`: the header's names, cut at 40 characters; `known`: those that Peyk recognises. */
  mobile_not_named: { found: readonly string[]; known: readonly MemberColumn[] };
  mobile_not_chosen: object;
  too_many_fields: { fields: number; columns: number };
  no_mobile_number: object;
  not_mobile: { value: string };
  /** Characters. */
  name_too_long: { column: MemberColumn; max: number };
  name_control_character: { column: MemberColumn };
  name_not_utf8: { column: MemberColumn };
  too_many_digits: { number: string };
  too_many_members: { max: number };
  no_members: object;
  no_numbers: object;
}

export type ImportProblemCode = keyof ImportProblemValues;

export type CodedImportProblem<Code extends ImportProblemCode = ImportProblemCode> = {
  [One in Code]: { code: One; values: ImportProblemValues[One] };
}[Code];

export type ImportProblem = { message: string } & CodedImportProblem;

/** Lines count from 1; line 1 is the header. */
export type ImportLineProblem = { line: number } & ImportProblem;
