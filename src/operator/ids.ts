/** Ids in the operator API's format: `acc_1`, `key_7`. The number alone is accepted as input. */
import { OperatorError } from "../domain/operator-error.ts";
import type { Directory } from "../messaging/directory/directory.ts";

export {
  accountIdText,
  campaignIdText,
  credentialIdText,
  keyIdText,
  ruleIdText,
  tokenIdText,
} from "../domain/id-text.ts";

type Subject = "account" | "key" | "campaign" | "credential";

function numberOf(text: string, prefix: string): number | null {
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : null;
}

/** Malformed text is refused as what does not exist. @throws OperatorError */
const idReader = (prefix: string, subject: Subject) => (text: string) => {
  const id = numberOf(text, prefix);
  if (id === null) throw new OperatorError(`${subject}_not_found`, { code: "no_id", values: { subject, text } });
  return id;
};

export const accountIdOf = idReader("acc_", "account");
export const keyIdOf = idReader("key_", "key");
export const campaignIdOf = idReader("camp_", "campaign");
export const credentialIdOf = idReader("cred_", "credential");

/** The same without a word about the text. */
const plainIdReader = (prefix: string, subject: "token" | "passkey" | "inbound_rule") => (text: string) => {
  const id = numberOf(text, prefix);
  if (id === null) throw new OperatorError(`${subject}_not_found`);
  return id;
};

export const tokenIdOf = plainIdReader("tok_", "token");
export const ruleIdOf = plainIdReader("rule_", "inbound_rule");
export const passkeyIdOf = plainIdReader("pk_", "passkey");

/** The account that a list is limited to; undefined for all. @throws OperatorError `account_not_found` */
export function listedAccountOf(text: string | undefined, directory: Pick<Directory, "account">): number | undefined {
  if (text === undefined) return undefined;
  const id = accountIdOf(text);
  if (directory.account(id) === null) throw new OperatorError("account_not_found");
  return id;
}
