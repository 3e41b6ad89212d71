/** The names of the accounts that a page shows. */
import type { ConsoleApi } from "./console-api.ts";

/** By id. */
export type AccountNames = ReadonlyMap<string, string>;

/** What the operator API lists at once. */
const askedMax = 500;

/** Of the accounts with these ids; none for a customer, who has one account and may list none. */
export async function accountNames(
  api: ConsoleApi,
  ids: readonly (string | null)[],
  isCustomer = false,
): Promise<AccountNames> {
  const names = new Map<string, string>();
  if (isCustomer) return names;
  const all = [...new Set(ids)].filter((id) => id !== null);
  for (let from = 0; from < all.length; from += askedMax) {
    const piece = all.slice(from, from + askedMax).join(",");
    const { rows } = await api("GET /accounts", { ids: piece, limit: askedMax });
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}
