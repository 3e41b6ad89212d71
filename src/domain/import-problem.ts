/** Problems of a file of members or numbers, in English. */
import { type Coded, type SentencesOf, sentenceOf, type ValuesOfSentences } from "./coded.ts";
import type { MemberColumn } from "./member-columns.ts";

/** An import leaves out at most this many wrong lines, all of which the console keeps; with more it is probably the wrong file. */
export const leftOutLinesMax = 10_000;

const english = {
  not_utf8: () => "is not UTF-8; save the file as “CSV UTF-8” and try again",
  /** Not allowed in any text. */
  zero_byte: () => "holds a zero byte, so the file is not text; save it as “CSV UTF-8” and try again",
  /** Characters; reading stops there. */
  line_too_long: ({ max }: { max: number }) =>
    `has more than ${max} characters; each line of the file holds one number`,
  empty_file: () => "the file is empty; its first line must name the columns",
  /** `reason`: the CSV parser's message. */
  unreadable_line: ({ reason }: { reason: string }) => reason,
  quote_not_closed: () => "a quotation mark opens and never closes",
  /** Text between a field's closing quotation mark and its end. */
  text_after_quote: () => "text follows the closing quotation mark of a field",
  /** The field contains a line break. */
  field_over_lines: () => "a field goes on over the line's end; is a quotation mark not closed?",
  /** Two columns of the header have the same meaning. */
  column_named_twice: ({ column }: { column: MemberColumn }) => `two columns of the header are the ${column}`,
  column_chosen_twice: ({ column }: { column: MemberColumn }) => `two columns were chosen as the ${column}`,
  /** `found`: the header's names, cut at 40 characters; `known`: those that Peyk recognises. */
  mobile_not_named: ({ found, known }: { found: readonly string[]; known: readonly MemberColumn[] }) =>
    `the header names no column “mobile” (or “موبایل”), only ${found.map((name) => `“${name}”`).join(", ")}; known are ${known.join(", ")}`,
  mobile_not_chosen: () => "no column was chosen as the mobile number",
  too_many_fields: ({ fields, columns }: { fields: number; columns: number }) =>
    `has ${fields} fields, and the header ${columns}`,
  no_mobile_number: () => "has no mobile number",
  not_mobile: ({ value }: { value: string }) => `“${value}” is no mobile number`,
  /** Characters. */
  name_too_long: ({ column, max }: { column: MemberColumn; max: number }) =>
    `the ${column} has more than ${max} characters`,
  name_control_character: ({ column }: { column: MemberColumn }) => `the ${column} holds a control character`,
  name_not_utf8: ({ column }: { column: MemberColumn }) => `the ${column} holds letters that were not UTF-8`,
  too_many_digits: ({ number }: { number: string }) => `${number} has too many digits`,
  too_many_members: ({ max }: { max: number }) => `a group may have ${max} members (setting groups.members_max)`,
  no_members: () => "the file holds no member",
  no_numbers: () => "the file holds no number",
};

export type ImportProblemValues = ValuesOfSentences<typeof english>;
export type ImportProblemTexts = SentencesOf<ImportProblemValues>;
export const englishImportProblems: ImportProblemTexts = english;
export type ImportProblemCode = keyof ImportProblemValues;
export type CodedImportProblem<Code extends ImportProblemCode = ImportProblemCode> = Coded<ImportProblemValues, Code>;

export type ImportProblem = { message: string } & CodedImportProblem;

/** Lines count from 1; line 1 is the header. */
export type ImportLineProblem = { line: number } & ImportProblem;

export function importProblemOf<Code extends ImportProblemCode>(code: Code, values: ImportProblemValues[Code]) {
  return { message: sentenceOf({ code, values }, englishImportProblems), code, values };
}
