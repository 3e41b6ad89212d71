/** Ids as an operator sees them: `acc_1`, `key_7`. The bare number is taken, too. */

import { OperatorError } from "../domain/operator-error.ts";
import type { Directory } from "../messaging/directory/directory.ts";

function numberOf(text: string, prefix: string): number | null {
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}

export const accountIdText = (id: number) => `acc_${id}`;
export const keyIdText = (id: number) => `key_${id}`;

/** Throws `account_not_found` for what can be no id. */
export function accountIdOf(text: string): number {
  const id = numberOf(text, "acc_");
  if (id === null) throw new OperatorError("account_not_found", `There is no account ${text}. An id looks like acc_1.`);
  return id;
}

/** The account that a list is narrowed to; undefined for all of them. Throws `account_not_found` for one that never was. */
export function listedAccountOf(text: string | undefined, directory: Pick<Directory, "account">): number | undefined {
  if (text === undefined) return undefined;
  const id = accountIdOf(text);
  if (directory.account(id) === null) throw new OperatorError("account_not_found");
  return id;
}

/** Throws `key_not_found` for what can be no id. */
export function keyIdOf(text: string): number {
  const id = numberOf(text, "key_");
  if (id === null) throw new OperatorError("key_not_found", `There is no key ${text}. An id looks like key_1.`);
  return id;
}
