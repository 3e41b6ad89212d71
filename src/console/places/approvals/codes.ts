/** Groups and patterns by their codes, which two accounts may both use. */
import { namedAccount, resolveAccount } from "../../page/accounts-and-senders.ts";
import type { PageCall } from "../../page/page.ts";

export type CodeCall = PageCall<{ readonly code: string }>;

/** `/patterns/welcome?account=acc_1`; `account`: null if only one has the code, or for a customer, who has one. */
export const codeHref = (
  base: string,
  { code, account }: { code: string; account: string | null },
  rest = "",
): string => `${base}/${encodeURIComponent(code)}${rest}${account === null ? "" : `?account=${account}`}`;

export const isOwn = ({ viewer }: PageCall): boolean => viewer.accountId !== null;

/** An address below that of the call's code. */
export const hrefIn = (base: string, { params: { code }, query }: CodeCall, rest = ""): string =>
  codeHref(base, { code, account: query.get("account") }, rest);

/** The call's code as the operator API takes it. */
export function reference({ params: { code }, query }: CodeCall) {
  const account = query.get("account");
  return account === null ? { code } : { code, account };
}

/** The account's name, and addresses below that of what was found; a customer has one account and gets no name. */
export async function ownerOf(call: PageCall, base: string, { code, account }: { code: string; account: string }) {
  const owner = isOwn(call) ? null : (await namedAccount(call.api, account)).name;
  return { owner, href: (rest: string) => codeHref(base, { code, account: isOwn(call) ? null : account }, rest) };
}

/** The account named in a form; for a customer, the operator API fills it in. */
export const typedOwner = (call: PageCall, text: string): Promise<string> | string =>
  isOwn(call) ? text : resolveAccount(call.api, text, call.locale);
