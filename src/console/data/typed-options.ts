/** The account or the sender that a form names: chosen from a list, or typed as an id or a name. */
import { cleanInput, comparableText } from "../../domain/clean-input.ts";
import type { Locale } from "../locale.ts";
import { UnknownAccount, UnknownSender } from "../pages/refusal.ts";
import { isolate } from "../words/isolate.ts";
import { accountNames } from "./account-names.ts";
import type { ConsoleApi } from "./console-api.ts";
import { senderText } from "./listed-options.ts";

/** Enough to see which was meant. */
const namedMax = 5;
/** What the operator API searches for at most: characters of a text, and accounts that hold a word of it. */
const soughtMax = 200;
const nearMax = 100;
const wordsMax = 8;

/** The account's id. @throws UnknownAccount which names those that may have been meant */
export async function typedAccount(api: ConsoleApi, text: string, { words, format }: Locale): Promise<string> {
  const say = words.forms.account;
  const typed = cleanInput(text).slice(0, soughtMax);
  if (typed === "") throw new UnknownAccount(say.missing);
  const id = /^[1-9]\d*$/.test(typed) ? `acc_${typed}` : typed.toLowerCase();
  if (/^acc_[1-9]\d*$/.test(id) && (await accountNames(api, [id])).has(id)) return id;
  const named = (await api("GET /accounts", { name: typed, limit: namedMax })).rows;
  const [only] = named;
  if (only !== undefined && named.length === 1) return only.id;
  const meant = named.length > 0 ? named : await near(api, typed);
  const listed = format.list(meant.slice(0, namedMax).map((one) => `${isolate(one.name)} (${isolate(one.id)})`));
  if (named.length > 0) throw new UnknownAccount(say.several(typed, listed));
  throw new UnknownAccount(meant.length > 0 ? say.near(typed, listed) : say.unknown(typed));
}

/** Those that have words of it in their names; the ones with the most words first. */
async function near(api: ConsoleApi, typed: string): Promise<{ id: string; name: string }[]> {
  const sought = comparableText(typed).split(/\s+/).slice(0, wordsMax);
  const lists = await Promise.all(sought.map((query) => api("GET /accounts", { query, limit: nearMax })));
  const found = new Map(lists.flatMap(({ rows }) => rows.map(({ id, name }) => [id, name] as const)));
  const shared = (name: string) => sought.filter((word) => comparableText(name).includes(word)).length;
  return [...found]
    .map(([id, name]) => ({ id, name, shared: shared(name) }))
    .filter((one) => one.shared > 0)
    .toSorted((a, b) => b.shared - a.shared);
}

/** An active sender by its number or name, or by `acc_1/30001234` as a list says it. @throws UnknownSender */
export async function typedSender(
  api: ConsoleApi,
  text: string,
  { words, format }: Locale,
): Promise<{ account: string; sender: string }> {
  const say = words.forms.sender;
  const typed = cleanInput(text).slice(0, soughtMax);
  if (typed === "") throw new UnknownSender(say.missing);
  const [, account, sender] = /^(acc_[1-9]\d*)\/(.+)$/.exec(typed) ?? [];
  if (account !== undefined && sender !== undefined) return { account, sender };
  const active = { active: true, limit: namedMax };
  const named = (await api("GET /senders", { ...active, name: typed })).rows;
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  const meant = named.length > 0 ? named : (await api("GET /senders", { ...active, query: typed })).rows;
  const listed = format.list(meant.map((one) => `${isolate(senderText(one))} (${isolate(one.accountName)})`));
  if (named.length > 0) throw new UnknownSender(say.several(typed, listed));
  throw new UnknownSender(meant.length > 0 ? say.near(typed, listed) : say.unknown(typed));
}
