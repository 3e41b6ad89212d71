/** Ids in the operator API's format: `acc_1`, `key_7`. The number alone is accepted as input. */
import { OperatorError } from "../domain/operator-error.ts";
import type { Directory } from "../messaging/directory/directory.ts";

export { accountIdText, campaignIdText, credentialIdText, keyIdText, tokenIdText } from "../domain/id-text.ts";

function numberOf(text: string, prefix: string): number | null {
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}

/** @throws OperatorError `account_not_found` for malformed text. */
export function accountIdOf(text: string): number {
  const id = numberOf(text, "acc_");
  if (id === null)
    throw new OperatorError("account_not_found", { code: "no_id", values: { subject: "account", text } });
  return id;
}

/** The account that a list is limited to; undefined for all. @throws OperatorError `account_not_found` */
export function listedAccountOf(text: string | undefined, directory: Pick<Directory, "account">): number | undefined {
  if (text === undefined) return undefined;
  const id = accountIdOf(text);
  if (directory.account(id) === null) throw new OperatorError("account_not_found");
  return id;
}

/** @throws OperatorError `key_not_found` for malformed text. */
export function keyIdOf(text: string): number {
  const id = numberOf(text, "key_");
  if (id === null) throw new OperatorError("key_not_found", { code: "no_id", values: { subject: "key", text } });
  return id;
}

/** @throws OperatorError `token_not_found` for malformed text. */
export function tokenIdOf(text: string): number {
  const id = numberOf(text, "tok_");
  if (id === null) throw new OperatorError("token_not_found");
  return id;
}

/** @throws OperatorError `campaign_not_found` for malformed text. */
export function campaignIdOf(text: string): number {
  const id = numberOf(text, "camp_");
  if (id === null)
    throw new OperatorError("campaign_not_found", { code: "no_id", values: { subject: "campaign", text } });
  return id;
}

/** @throws OperatorError `credential_not_found` for malformed text. */
export function credentialIdOf(text: string): number {
  const id = numberOf(text, "cred_");
  if (id === null)
    throw new OperatorError("credential_not_found", { code: "no_id", values: { subject: "credential", text } });
  return id;
}
