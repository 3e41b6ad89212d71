/** Finds the group or pattern that an operator names by its code, which is unique only within an account. */
import { OperatorError } from "../domain/operator-error.ts";

/** A code, and the account if the code alone is ambiguous. */
export interface CodeReference {
  code: string;
  accountId?: number | undefined;
}

/** The only row with this code, within the account if one is given. Throws `…_not_found`, `code_ambiguous`. */
export function onlyOne<Row>(
  rows: readonly (Row & { accountId: number })[],
  { code, accountId }: CodeReference,
  subject: "group" | "pattern",
): Row {
  const [row, another] = rows.filter((one) => accountId === undefined || one.accountId === accountId);
  if (row === undefined)
    throw new OperatorError(`${subject}_not_found`, { code: "no_name", values: { subject, name: code } });
  if (another === undefined) return row;
  throw new OperatorError("code_ambiguous", { code: "code_of_several", values: { subject, code } });
}
