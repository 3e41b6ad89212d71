/** Keys, of the customer's own account at `/keys` and of any account below its path: create, change, renew, revoke. */

import { OperatorError } from "../../../domain/operator-error.ts";
import { permissions } from "../../../domain/permissions.ts";
import { keyFields } from "../../../fields/key.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { changedTexts, mergedTexts, postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { askedPart } from "../../page/list-part.ts";
import { openedWith } from "../../page/merged-edit.ts";
import { madePage, type PageAnswer, type PageCall, redirect } from "../../page/page.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { CancelWaitingChoice, GraceChoice, gracesOffered, IssuedKeyPage, KeyFormPage, KeysPage } from "./keys.tsx";
import { activeSender, curlExample, keyList } from "./keys-view.ts";
import { keysWords } from "./words.ts";

export interface KeysPagesDeps {
  /** Where customers reach the public API. */
  apiUrl: string;
  /** Whether test keys can be created. */
  hasSandbox: boolean;
  defaults: ServiceDefaults;
}

type AnyCall = PageCall<{ readonly id?: string; readonly key?: string }>;

const wordsOf = ({ locale }: PageCall) => keysWords[locale.language];

/** The account of a page's keys, empty for a customer's own, and the path of the page. */
async function keysAt(call: AnyCall) {
  const { id } = call.params;
  const { keys } = call.locale.words.places;
  if (id === undefined) return { account: "", path: "/keys", above: { title: keys, href: "/keys" } };
  const { id: account, name } = await namedAccount(call.api, id);
  return { account, path: `/accounts/${account}/keys`, above: { title: name, href: `/accounts/${account}` } };
}

/** The key named in the path, if it is one of these. */
async function keyAt(call: AnyCall) {
  const { account, above } = await keysAt(call);
  const key = await call.api("GET /keys/:id", { id: call.params.key ?? "" });
  if (account !== "" && key.account !== account) throw new OperatorError("key_not_found");
  return { key, above };
}

const nothing = { name: "", rate: null, permissions, expiresAt: null, allowFrom: [] };

const change = "keys.change";
const own = usualPages("keys", { read: "keys.read", change });
const ofAccount = usualPages("accounts", { read: "accounts.read", change });

type KeysPath = "/keys" | "/accounts/:id/keys";
type Issued = (call: AnyCall, key: { name: string; account: string; apiKey: string }) => Promise<PageAnswer>;

function formsAt(path: KeysPath, { form }: typeof own, { hasSandbox, defaults }: KeysPagesDeps, issued: Issued) {
  const inherited = defaults.key;
  return [
    ...form(`${path}/new`, {
      load: async (call: AnyCall) => ({
        ...(await keysAt(call)),
        title: wordsOf(call).create,
        texts: shownTexts(keyFields, nothing, call.locale),
        isTest: hasSandbox ? call.form.has("test") : null,
        opened: null,
        inherited,
      }),
      typed: (call, { texts }) => ({ texts: postedTexts(keyFields, call.form, texts) }),
      View: KeyFormPage,
      async run(call, { account, texts }) {
        const test = call.form.has("test") ? true : undefined;
        const input = { account, ...typedValues(keyFields, texts, call.locale), test };
        return issued(call, await call.api("POST /keys", input));
      },
      refusedAt: { key_limit_reached: "name" },
    }),
    ...form(`${path}/:key/change`, {
      async load(call: AnyCall) {
        const { key, above } = await keyAt(call);
        const now = shownTexts(keyFields, key, call.locale);
        const title = wordsOf(call).changeTitle(key.name);
        const { id, limits } = key;
        return { id, above, title, now, texts: now, isTest: null, opened: openedWith(now), inherited, limits };
      },
      typed: (call, { now }) => mergedTexts(keyFields, call, now),
      View: KeyFormPage,
      async run(call, { id, above, now, texts }) {
        // An unchanged end keeps its seconds, although its control only shows minutes; so does one in the past.
        const touched = changedTexts(keyFields, texts, now, call.locale);
        if (Object.keys(touched).length > 0) await call.api("PATCH /keys/:id", { id, ...touched });
        return done(above.href, wordsOf(call).changed(texts.name));
      },
    }),
  ];
}

function questionsAt(path: KeysPath, { question }: typeof own, issued: Issued) {
  return [
    ...question(`${path}/:key/rotate`, {
      async ask(call: AnyCall) {
        const { key, above } = await keyAt(call);
        return { words: wordsOf(call).rotating, name: key.name, back: above.href, choices: <GraceChoice /> };
      },
      async run(call: AnyCall) {
        const { id } = (await keyAt(call)).key;
        const graceSeconds = gracesOffered.find((seconds) => String(seconds) === call.form.text("grace"));
        return issued(call, await call.api("POST /keys/:id/rotate", { id, graceSeconds }));
      },
    }),
    ...question(`${path}/:key/revoke`, {
      async ask(call: AnyCall) {
        const { key, above } = await keyAt(call);
        return { words: wordsOf(call).revoking, name: key.name, back: above.href, choices: <CancelWaitingChoice /> };
      },
      async run(call: AnyCall) {
        const { key, above } = await keyAt(call);
        const { id, name } = key;
        const cancelWaiting = call.form.has("cancelWaiting");
        const { waiting } = await call.api("POST /keys/:id/revoke", { id, cancelWaiting });
        const say = wordsOf(call);
        const cancelled = call.locale.format.count(waiting?.cancelled ?? 0);
        return done(above.href, waiting === null ? say.revoked(name) : say.revokedWaiting(name, cancelled));
      },
    }),
  ];
}

function pagesAt(path: KeysPath, usual: typeof own, deps: KeysPagesDeps) {
  const issued: Issued = async (call, { name, account, apiKey }) => {
    const { above } = await keysAt(call);
    const example = curlExample(deps.apiUrl, apiKey, await activeSender(call.api, account));
    return madePage(<IssuedKeyPage {...{ name, above, apiKey, example }} />, above.href);
  };
  const list = usual.shown(path, async (call: AnyCall) => {
    // Operators see the keys of one account; `/keys` alone names none.
    if (call.viewer.accountId === null && call.params.id === undefined) return redirect("/accounts");
    const at = await keysAt(call);
    return <KeysPage {...at} keys={await keyList(call.api, at.account, askedPart(call.query))} />;
  });
  return [list, ...formsAt(path, usual, deps, issued), ...questionsAt(path, usual, issued)];
}

export const keysPages = (deps: KeysPagesDeps) => [
  ...pagesAt("/keys", own, deps),
  ...pagesAt("/accounts/:id/keys", ofAccount, deps),
];
