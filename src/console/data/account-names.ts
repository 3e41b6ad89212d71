/** The names of all accounts, as the operator's pages show them. */
import { answered, type ConsoleApi } from "./console-api.ts";

export type AccountNames = ReadonlyMap<string, string>;

/** By id. None for a customer, who has one account and may list none. */
export async function accountNames(api: ConsoleApi, isCustomer = false): Promise<AccountNames> {
  if (isCustomer) return new Map();
  return new Map((await answered(api.accounts.get())).map(({ id, name }) => [id, name]));
}
