/** The account that a form names: chosen from a list, or typed as an id or a name. */
import { cleanInput } from "../format/input.ts";
import type { Locale } from "../locale.ts";
import { UnknownAccount } from "../pages/refusal.ts";
import { isolate } from "../words/isolate.ts";
import { type AccountNames, accountNames } from "./account-names.ts";
import type { ConsoleApi } from "./console-api.ts";

/** Enough to see which was meant. */
const namedMax = 5;

/** The account's id. @throws UnknownAccount which names those that may have been meant */
export async function typedAccount(api: ConsoleApi, text: string, { words, format }: Locale): Promise<string> {
  const say = words.forms.account;
  const typed = cleanInput(text);
  if (typed === "") throw new UnknownAccount(say.missing);
  const accounts = await accountNames(api);
  const id = /^[1-9]\d*$/.test(typed) ? `acc_${typed}` : typed.toLowerCase();
  if (accounts.has(id)) return id;
  const named = [...accounts].filter(([, name]) => comparable(name) === comparable(typed));
  const [only] = named;
  if (only !== undefined && named.length === 1) return only[0];
  const meant = named.length > 0 ? named : near(accounts, typed);
  const listed = format.list(meant.slice(0, namedMax).map(([id, name]) => `${isolate(name)} (${isolate(id)})`));
  if (named.length > 0) throw new UnknownAccount(say.several(typed, listed));
  throw new UnknownAccount(meant.length > 0 ? say.near(typed, listed) : say.unknown(typed));
}

const comparable = (text: string): string => cleanInput(text).toLowerCase();

/** Those that have words of it in their names; the ones with the most words first. */
function near(accounts: AccountNames, typed: string): (readonly [id: string, name: string])[] {
  const sought = comparable(typed).split(/\s+/);
  const shared = (name: string) => sought.filter((word) => comparable(name).includes(word)).length;
  return [...accounts]
    .map(([id, name]) => ({ id, name, shared: shared(name) }))
    .filter((one) => one.shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .map(({ id, name }) => [id, name] as const);
}
