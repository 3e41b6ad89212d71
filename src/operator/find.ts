/**
 * What is called so, of every kind that has a name: for someone who types a few letters and goes there. Names are in
 * memory; a caller waits for no disk, and nobody waits for the caller longer than a slice of a turn.
 */
import { Type as t } from "@sinclair/typebox";
import { comparableText } from "../domain/clean-input.ts";
import { parseMobileNumber } from "../domain/phone-number.ts";
import { type ConsoleAction, roleMay } from "../domain/roles.ts";
import { Slices } from "../platform/next-turn.ts";
import { keyStatus } from "./answers.ts";
import type { OperatorCaller } from "./caller.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField } from "./field-schema.ts";
import { accountIdText, credentialIdText, keyIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf } from "./lists.ts";
import { reads } from "./operation.ts";

/** Of each kind: whoever means another one types one letter more. */
const foundMax = 5;
/** Better than the last: the whole text begins so, a word of it does, it contains all words. */
const worst = 2;

/** Every word of what is sought, wherever it is in the text; null if one is missing. */
function distance(words: readonly string[], text: string): number | null {
  if (!words.every((word) => text.includes(word))) return null;
  const [first = ""] = words;
  if (text.startsWith(first)) return 0;
  return text.includes(` ${first}`) ? 1 : worst;
}

interface Sought {
  words: readonly string[];
  /** Of all that is looked through: together they take no longer turns than one. */
  slices: Slices;
}

/** The nearest of them, in their own order where they are equally near. */
async function nearest<Item>(
  items: Iterable<Item>,
  { words, slices }: Sought,
  textOf: (item: Item) => string,
): Promise<Item[]> {
  const found: Item[][] = Array.from({ length: worst + 1 }, () => []);
  for (const item of items) {
    const near = distance(words, comparableText(textOf(item)));
    const alike = near === null ? undefined : found[near];
    if (alike !== undefined && alike.length < foundMax) alike.push(item);
    if (found[0]?.length === foundMax) break;
    await slices.pause();
  }
  return found.flat().slice(0, foundMax);
}

const mayRead = ({ role }: OperatorCaller, action: ConsoleAction) => role === null || roleMay(role, action);

/** Accounts, routes and plans: a customer knows none of them. */
async function foundOfOperator(deps: OperatorDeps, caller: OperatorCaller, sought: Sought) {
  const { directory, routingPlans } = deps;
  if (caller.accountId !== null) return { accounts: [], routes: [], plans: [] };
  const [accounts, routes, plans] = await Promise.all([
    nearest(directory.accounts(), sought, ({ id, name }) => `${name} ${accountIdText(id)}`),
    mayRead(caller, "routes.read") ? nearest(directory.routes(), sought, ({ name }) => name) : [],
    mayRead(caller, "routes.read") ? nearest(routingPlans.plans.all(), sought, ({ name }) => name) : [],
  ]);
  return {
    accounts: accounts.map(({ id, name, status }) => ({ id: accountIdText(id), name, status })),
    routes: routes.map(({ name, kind }) => ({ name, kind })),
    plans: plans.map(({ name }) => name),
  };
}

/** What accounts own, of one of them or of all. */
async function foundOfAccounts(deps: OperatorDeps, accountId: number | undefined, sought: Sought) {
  const { directory, credentials, clock } = deps;
  const accounts = accountId === undefined ? directory.accounts().map(({ id }) => id) : [accountId];
  const ownerOf = (keyId: number) => directory.key(keyId)?.accountId;
  const isTheirs = ({ apiKeyId }: { apiKeyId: number }) => accountId === undefined || ownerOf(apiKeyId) === accountId;
  const [senders, keys, logins] = await Promise.all([
    nearest(sendersOf(directory, accounts), sought, ({ sender }) => sender),
    nearest(accountId === undefined ? directory.keys() : directory.keysOf(accountId), sought, (key) =>
      [key.name, keyIdText(key.id)].join(" "),
    ),
    nearest(credentials.directory.all().filter(isTheirs), sought, ({ id, name }) => `${name} ${credentialIdText(id)}`),
  ]);
  const owned = (id: number) => ({ account: accountIdText(id), accountName: accountNameOf(deps, id) });
  return {
    senders: senders.map(({ accountId: id, sender, active }) => ({ sender, active, ...owned(id) })),
    keys: keys.map((key) => ({
      id: keyIdText(key.id),
      name: key.name,
      status: keyStatus(key, clock.now()),
      ...owned(key.accountId),
    })),
    credentials: logins.map(({ id, name, kind, apiKeyId }) => ({
      id: credentialIdText(id),
      name,
      kind,
      ...owned(ownerOf(apiKeyId) ?? 0),
    })),
  };
}

function* sendersOf(directory: Pick<OperatorDeps["directory"], "sendersOf">, accounts: readonly number[]) {
  for (const id of accounts) yield* directory.sendersOf(id);
}

export const findAdmin = {
  "GET /find": reads({
    may: "messages.read",
    scope: "account",
    input: { account: accountField, text: t.String({ minLength: 1, maxLength: 100 }) },
    run: async (deps, { account, text }, { caller }) => {
      const sought = { words: comparableText(text).split(/\s+/).filter(Boolean), slices: new Slices() };
      const accountId = listedAccountOf(account, deps.directory);
      const [ofOperator, ofAccounts] = await Promise.all([
        foundOfOperator(deps, caller, sought),
        foundOfAccounts(deps, accountId, sought),
      ]);
      /** As a phone has it, if a phone can have it. */
      const number = parseMobileNumber(text, deps.facts.defaultRegion);
      return { ...ofOperator, ...ofAccounts, number };
    },
  }),
};
