/** The filters above a list: what they offer, however much there is, and the account that one typed. */
import type { Option } from "../components/forms.tsx";
import { accountHint, isListed } from "../components/listed-field.tsx";
import type { SearchFilter } from "../components/search.tsx";
import type { Locale } from "../locale.ts";
import { UnknownAccount } from "../pages/refusal.ts";
import { accountNames } from "./account-names.ts";
import type { ConsoleApi } from "./console-api.ts";
import { accountOptions } from "./listed-options.ts";
import { typedAccount } from "./typed-options.ts";

/** Of more routes and lines, the page of each one leads to what is its own. */
export const optionsMax = 500;

/** With the chosen one, which the form would drop otherwise. */
export function offered(options: readonly Option[], chosen: string): Option[] {
  const shown = options.slice(0, optionsMax);
  if (chosen === "" || shown.some(({ value }) => value === chosen)) return shown;
  return [options.find(({ value }) => value === chosen) ?? { value: chosen, label: chosen }, ...shown];
}

/** An account that was typed and is none, and the sentence that says so. */
export interface WrongAccount {
  typed: string;
  error: string;
}

/** The filter of accounts, `account` by its id: typed where there are more than a list is read through. */
export async function accountFilter(
  api: ConsoleApi,
  account: string,
  { words }: Locale,
  wrong?: WrongAccount,
): Promise<[Omit<SearchFilter, "label"> & { name: "account" }]> {
  const accounts = await accountOptions(api);
  const filter = { name: "account", value: account } as const;
  if (wrong === undefined && isListed(accounts)) {
    return [{ ...filter, options: [{ value: "", label: words.lists.any }, ...offered(accounts, account)] }];
  }
  const hint = accountHint(words);
  if (wrong !== undefined) return [{ ...filter, value: wrong.typed, error: wrong.error, hint }];
  const chosen = account === "" ? undefined : (await accountNames(api, [account])).get(account);
  return [{ ...filter, hint, chosen }];
}

/** What the address of a list says of the account: its id, or what was typed and is none. Empty stays empty. */
export async function filteredAccount(
  api: ConsoleApi,
  text: string,
  locale: Locale,
): Promise<{ id: string; wrong?: WrongAccount }> {
  if (text === "") return { id: "" };
  try {
    return { id: await typedAccount(api, text, locale) };
  } catch (reason) {
    if (!(reason instanceof UnknownAccount)) throw reason;
    return { id: "", wrong: { typed: text, error: reason.message } };
  }
}
