/** Accounts: the list, a new one, one account with its senders, limits and money. */

import { OperatorError } from "../../../domain/operator-error.ts";
import { roleMay } from "../../../domain/roles.ts";
import { accountFields } from "../../../fields/account.ts";
import { quotaFields } from "../../../fields/quota.ts";
import type { Random } from "../../../platform/random.ts";
import { Notice } from "../../components/blocks.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import { parseWholeNumber } from "../../format/input.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { postedTexts } from "../../page/declared-form.ts";
import { askedPart, sparklinesShown } from "../../page/list-part.ts";
import { mergedEdit, openedWith } from "../../page/merged-edit.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { AccountPage } from "./account.tsx";
import { AccountChangesPage } from "./account-changes.tsx";
import { type AccountSettingsFields, AccountSettingsPage } from "./account-settings.tsx";
import { AccountsPage, NewAccountPage } from "./accounts.tsx";
import {
  accountList,
  accountView,
  balanceView,
  changesView,
  refusedSettings,
  saveSettings,
  settingsFields,
} from "./accounts-view.ts";
import { BalancePage, type EntryFields } from "./balance.tsx";
import { senderPages } from "./sender-pages.tsx";
import { accountSettingsWords, accountsWords, accountWords, balanceWords } from "./words.ts";

export interface AccountsPagesDeps {
  random: Pick<Random, "uuid">;
  defaults: ServiceDefaults;
}

type AccountCall = PageCall<{ readonly id: string }>;

const pathOf = ({ params }: AccountCall): string => `/accounts/${params.id}`;
const mayChange = ({ viewer }: PageCall): boolean => roleMay(viewer.role, "accounts.change");
const done = (text: string) => <Notice tone="ok">{text}</Notice>;

async function list(call: PageCall): Promise<PageAnswer> {
  const accounts = await accountList(call.api, { ...askedPart(call.query), rows: sparklinesShown }, call.locale);
  return document(<AccountsPage shell={call.shell("accounts")} accounts={accounts} mayChange={mayChange(call)} />);
}

function newForm({ shell }: PageCall, name: string, errors: FieldErrors) {
  return <NewAccountPage shell={shell("accounts")} view={{ name, errors }} />;
}

async function create(call: PageCall): Promise<PageAnswer> {
  const name = call.form.text("name");
  try {
    const { id } = await call.api("POST /accounts", { name });
    return redirect(`/accounts/${id}`, done(accountsWords[call.locale.language].created(name)));
  } catch (reason) {
    return formAgain(newForm(call, name, refusedFields(reason, call.locale)));
  }
}

/** What was typed into one of the page's own forms, and its errors. */
type Typed = Pick<Parameters<typeof AccountPage>[0], "newNote">;

async function accountPage(call: AccountCall, { defaults }: AccountsPagesDeps, typed: Typed = {}) {
  const { api, params, locale, viewer, shell } = call;
  const may = {
    change: mayChange(call),
    changeKeys: roleMay(viewer.role, "keys.change"),
    addPeople: roleMay(viewer.role, "users.change"),
  };
  const view = await accountView(api, params.id, locale);
  return <AccountPage shell={shell("accounts")} {...{ view, may }} inherited={defaults.account} {...typed} />;
}

/** The form of a first note, opened by its button. */
async function noteAsked({ api, query, params }: AccountCall): Promise<Typed> {
  if (query.get("note") !== "new") return {};
  const { note } = await namedAccount(api, params.id);
  return { newNote: { value: note ?? "", errors: {}, isOpen: true } };
}

async function suspend(call: AccountCall): Promise<PageAnswer> {
  const { name } = await call.api("POST /accounts/:id/suspend", { id: call.params.id });
  return redirect(pathOf(call), <Notice tone="warn">{accountWords[call.locale.language].suspended(name)}</Notice>);
}

async function resume(call: AccountCall): Promise<PageAnswer> {
  const { name } = await call.api("POST /accounts/:id/resume", { id: call.params.id });
  return redirect(pathOf(call), done(accountWords[call.locale.language].resumed(name)));
}

async function saveNote(call: AccountCall, deps: AccountsPagesDeps): Promise<PageAnswer> {
  const value = call.form.raw("note");
  try {
    await call.api("PATCH /accounts/:id", { id: call.params.id, note: value });
    return redirect(`${pathOf(call)}#note`, done(accountWords[call.locale.language].noteSaved));
  } catch (reason) {
    return formAgain(
      await accountPage(call, deps, { newNote: { value, errors: refusedFields(reason, call.locale), isOpen: true } }),
    );
  }
}

interface TypedSettings {
  fields: AccountSettingsFields;
  errors: FieldErrors;
}

async function settingsForm(call: AccountCall, { defaults }: AccountsPagesDeps, typed?: TypedSettings) {
  const { api, params, shell, locale } = call;
  const { name: accountName } = await namedAccount(api, params.id);
  const now = await settingsFields(api, params.id, locale);
  const { fields, errors } = typed ?? { fields: now, errors: {} };
  const view = { id: params.id, accountName, fields, errors, opened: openedWith(now), inherited: defaults.account };
  return <AccountSettingsPage shell={shell("accounts")} view={view} />;
}

async function save(call: AccountCall, deps: AccountsPagesDeps): Promise<PageAnswer> {
  const { api, form, params, locale } = call;
  const { language, words } = locale;
  const now = await settingsFields(api, params.id, locale);
  const typed = { ...postedTexts(accountFields, form, now), ...postedTexts(quotaFields, form, now) };
  const { fields, errors, isShared } = mergedEdit({ opened: form.raw("opened"), typed, now }, words);
  if (Object.keys(errors).length > 0) return formAgain(await settingsForm(call, deps, { fields, errors }));
  try {
    await saveSettings(api, params.id, fields, locale);
    const saved = accountSettingsWords[language].saved;
    return redirect(pathOf(call), done(isShared ? `${saved} ${words.forms.shared}` : saved));
  } catch (reason) {
    return formAgain(await settingsForm(call, deps, { fields, errors: refusedSettings(reason, fields, locale) }));
  }
}

async function balance(call: AccountCall, fields: EntryFields, errors: FieldErrors) {
  const { api, params, query, shell } = call;
  const view = await balanceView(api, params.id, query.get("cursor"));
  return <BalancePage shell={shell("accounts")} view={{ ...view, fields, errors }} mayChange={mayChange(call)} />;
}

/** May be negative. */
function parseAmount(text: string): number | null {
  const isBelow = /^[-−]/.test(text);
  const amount = parseWholeNumber(text.slice(isBelow ? 1 : 0));
  return amount !== null && isBelow ? -amount : amount;
}

async function enter(call: AccountCall, { random }: AccountsPagesDeps): Promise<PageAnswer> {
  const { api, params, form, locale } = call;
  const typed = { amount: form.text("amount"), note: form.text("note"), reference: form.text("reference") };
  const amount = parseAmount(typed.amount);
  if (amount === null)
    return formAgain(await balance(call, typed, { amount: balanceWords[locale.language].amountWrong }));
  try {
    const isCorrection = form.text("kind") === "correction";
    const entry = { id: params.id, amount, reference: typed.reference === "" ? undefined : typed.reference };
    const { duplicate } = isCorrection
      ? await api("POST /accounts/:id/correct", { ...entry, note: typed.note })
      : await api("POST /accounts/:id/topup", { ...entry, note: typed.note === "" ? undefined : typed.note });
    const { entered, enteredBefore } = balanceWords[locale.language];
    const say = duplicate ? enteredBefore : entered;
    return redirect(`${pathOf(call)}/balance`, done(say(locale.format.number(amount))));
  } catch (reason) {
    if (reason instanceof OperatorError && reason.code === "reference_taken") {
      const fresh = { ...typed, reference: random.uuid() };
      return formAgain(await balance(call, fresh, { amount: balanceWords[locale.language].enteredOther }));
    }
    return formAgain(await balance(call, typed, refusedFields(reason, locale)));
  }
}

export const accountsPages = (deps: AccountsPagesDeps) => [
  ...senderPages,
  page({ method: "GET", path: "/accounts", action: "accounts.read", answer: list }),
  page({
    method: "GET",
    path: "/accounts/new",
    action: "accounts.change",
    answer: (call) => document(newForm(call, "", {})),
  }),
  page({ method: "POST", path: "/accounts/new", action: "accounts.change", answer: create }),
  page({
    method: "GET",
    path: "/accounts/:id",
    action: "accounts.read",
    answer: async (call) => document(await accountPage(call, deps, await noteAsked(call))),
  }),
  page({
    method: "GET",
    path: "/accounts/:id/changes",
    action: "accounts.read",
    answer: async ({ api, params, query, shell }) => {
      const view = await changesView(api, params.id, query.get("before"));
      return document(<AccountChangesPage shell={shell("accounts")} view={view} />);
    },
  }),
  page({ method: "POST", path: "/accounts/:id/suspend", action: "accounts.change", answer: suspend }),
  page({ method: "POST", path: "/accounts/:id/resume", action: "accounts.change", answer: resume }),
  page({
    method: "POST",
    path: "/accounts/:id/note",
    action: "accounts.change",
    formAt: ({ path }) => ({ page: `${path.replace(/\/note$/, "")}?note=new` }),
    answer: (call) => saveNote(call, deps),
  }),
  page({
    method: "GET",
    path: "/accounts/:id/settings",
    action: "accounts.change",
    answer: async (call) => document(await settingsForm(call, deps)),
  }),
  page({
    method: "POST",
    path: "/accounts/:id/settings",
    action: "accounts.change",
    answer: (call) => save(call, deps),
  }),
  page({
    method: "GET",
    path: "/accounts/:id/balance",
    action: "accounts.read",
    answer: async (call) => document(await balance(call, { amount: "", note: "", reference: deps.random.uuid() }, {})),
  }),
  page({
    method: "POST",
    path: "/accounts/:id/balance",
    action: "accounts.change",
    knowsRepeats: true,
    answer: (call) => enter(call, deps),
  }),
];
