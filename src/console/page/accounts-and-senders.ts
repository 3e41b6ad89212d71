/** The accounts and senders of a page: their names, the choices in a form, and resolving a typed name. */
import { cleanInput, comparableText } from "../../domain/clean-input.ts";
import type { SenderAnswer } from "../../operator/answers.ts";
import { isolate } from "../../words/isolate.ts";
import type { ChoiceKind, Option } from "../components/forms.tsx";
import { accountHint, isListed, readForForm } from "../components/listed-field.tsx";
import type { SearchFilter } from "../components/search.tsx";
import type { Locale } from "../locale.ts";
import type { ConsoleApi } from "./console-api.ts";
import { UnknownAccount, UnknownSender } from "./refusal.ts";

/** Names by id. Empty for a customer, who has one account and may not list accounts. */
export async function accountOptions(api: ConsoleApi, isOwn = false): Promise<Option[]> {
  if (isOwn) return [];
  const { rows } = await api("GET /accounts", { limit: readForForm });
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}

/** An account id contains no slash; a sender may. */
export const senderText = ({ account, sender }: Pick<SenderAnswer, "account" | "sender">): string =>
  `${account}/${sender}`;

/** Active senders; with their account's name if there are several accounts. */
export async function senderOptions(api: ConsoleApi, { words }: Locale): Promise<(Option & { plan: string | null })[]> {
  const { rows } = await api("GET /senders", { limit: readForForm, active: true });
  const isOfOneAccount = rows.every(({ account }) => account === rows[0]?.account);
  return rows.map((one) => ({
    value: senderText(one),
    label: isOfOneAccount ? one.sender : words.forms.senderOf(one.accountName, one.sender),
    plan: one.plan,
  }));
}

/** By id. */
export type AccountNames = ReadonlyMap<string, string>;

export const namedAccount = (api: ConsoleApi, id: string) => api("GET /accounts/:id", { id, listed: false });

/** The most that the operator API lists in one call. */
const askedMax = 500;

/** The names of these accounts; empty for a customer, who has one account and may not list accounts. */
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

/** Enough to recognise the intended one. */
const namedMax = 5;
/** Limits of the operator API's search: characters of a text, and accounts that contain one of its words. */
const soughtMax = 200;
const nearMax = 100;
const wordsMax = 8;

/** Returns the account's id. @throws UnknownAccount with the names that may have been intended */
export async function resolveAccount(api: ConsoleApi, text: string, { words, format }: Locale): Promise<string> {
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

/** Those whose names contain words of the text; the ones with the most words first. */
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

/** An active sender by its number or name, or by `acc_1/30001234` as shown in lists. @throws UnknownSender */
export async function resolveSender(
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

/** Of campaigns, the newest. */
const optionsMax = 500;

/** Includes the current choice, which the form would otherwise lose. */
export function withChosen(options: readonly Option[], chosen: string): Option[] {
  const shown = options.slice(0, optionsMax);
  if (chosen === "" || shown.some(({ value }) => value === chosen)) return shown;
  return [options.find(({ value }) => value === chosen) ?? { value: chosen, label: chosen }, ...shown];
}

/** A filter by one of a few words, each with what it is called. */
export const wordFilter = <const Name extends string, Word extends string>(
  name: Name,
  value: string,
  [words, labels]: readonly [readonly Word[], Readonly<Record<Word, string>>],
  { lists }: Locale["words"],
) => ({
  name,
  value,
  options: [{ value: "", label: lists.any }, ...words.map((word) => ({ value: word, label: labels[word] }))],
});

/** A filter by a name: a list, or a field that searches as one types where the list would be too long to read. */
export const namedFilter = <const Name extends string>(
  name: Name,
  value: string,
  { options, choices, words, wrong }: NamedChoices,
) => {
  if (wrong !== undefined) return { name, value: wrong.typed, error: wrong.error, choices };
  if (!isListed(options)) return { name, value, choices };
  return { name, value, options: [{ value: "", label: words.lists.any }, ...withChosen(options, value)] };
};

interface NamedChoices {
  options: readonly Option[];
  choices: ChoiceKind;
  words: Locale["words"];
  wrong?: WrongName | undefined;
}

/** Typed text that names nothing, and the sentence that says so. */
export interface WrongName {
  typed: string;
  error: string;
}

/** The account filter, `account` being its id: a text field if there are more accounts than a readable list. */
export async function accountFilter(
  api: ConsoleApi,
  account: string,
  { words }: Locale,
  wrong?: WrongName,
): Promise<[Omit<SearchFilter, "label"> & { name: "account" }]> {
  const accounts = await accountOptions(api);
  const filter = { name: "account", value: account } as const;
  if (wrong === undefined && isListed(accounts)) {
    return [{ ...filter, options: [{ value: "", label: words.lists.any }, ...withChosen(accounts, account)] }];
  }
  const hint = accountHint(words);
  const typed = { ...filter, hint, choices: "accounts" } as const;
  if (wrong !== undefined) return [{ ...typed, value: wrong.typed, error: wrong.error }];
  const chosen = account === "" ? undefined : (await accountNames(api, [account])).get(account);
  return [{ ...typed, chosen }];
}

/** The account in a list's address: its id, or typed text that matches none. Empty stays empty. */
export async function filteredAccount(
  api: ConsoleApi,
  text: string,
  locale: Locale,
): Promise<{ id: string; wrong?: WrongName }> {
  if (text === "") return { id: "" };
  try {
    return { id: await resolveAccount(api, text, locale) };
  } catch (reason) {
    if (!(reason instanceof UnknownAccount)) throw reason;
    return { id: "", wrong: { typed: text, error: reason.message } };
  }
}
