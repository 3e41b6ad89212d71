/** English: problems of a file of members or numbers. */
import type { CodedImportProblem, ImportProblemCode, ImportProblemValues } from "../../domain/import-problem.ts";

export type ImportProblemTexts = {
  readonly [Code in ImportProblemCode]: (values: ImportProblemValues[Code]) => string;
};

export const englishImportProblems: ImportProblemTexts = {
  not_utf8: () => "is not UTF-8; save the file as “CSV UTF-8” and try again",
  zero_byte: () => "holds a zero byte, so the file is not text; save it as “CSV UTF-8” and try again",
  line_too_long: ({ max }) => `has more than ${max} characters; each line of the file holds one number`,
  empty_file: () => "the file is empty; its first line must name the columns",
  unreadable_line: ({ reason }) => reason,
  quote_not_closed: () => "a quotation mark opens and never closes",
  text_after_quote: () => "text follows the closing quotation mark of a field",
  field_over_lines: () => "a field goes on over the line's end; is a quotation mark not closed?",
  column_named_twice: ({ column }) => `two columns of the header are the ${column}`,
  column_chosen_twice: ({ column }) => `two columns were chosen as the ${column}`,
  mobile_not_named: ({ found, known }) =>
    `the header names no column “mobile” (or “موبایل”), only ${found.map((name) => `“${name}”`).join(", ")}; known are ${known.join(", ")}`,
  mobile_not_chosen: () => "no column was chosen as the mobile number",
  too_many_fields: ({ fields, columns }) => `has ${fields} fields, and the header ${columns}`,
  no_mobile_number: () => "has no mobile number",
  not_mobile: ({ value }) => `“${value}” is no mobile number`,
  name_too_long: ({ column, max }) => `the ${column} has more than ${max} characters`,
  name_control_character: ({ column }) => `the ${column} holds a control character`,
  name_not_utf8: ({ column }) => `the ${column} holds letters that were not UTF-8`,
  too_many_digits: ({ number }) => `${number} has too many digits`,
  too_many_members: ({ max }) => `a group may have ${max} members (setting groups.members_max)`,
  no_members: () => "the file holds no member",
  no_numbers: () => "the file holds no number",
};

export function importProblemText<Code extends ImportProblemCode>(
  { code, values }: CodedImportProblem<Code>,
  texts = englishImportProblems,
): string {
  return texts[code](values);
}

export function importProblemOf<Code extends ImportProblemCode>(code: Code, values: ImportProblemValues[Code]) {
  return { message: englishImportProblems[code](values), code, values };
}
