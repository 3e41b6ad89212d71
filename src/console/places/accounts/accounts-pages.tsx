/** Accounts: the list, a new one, one account with its senders, limits and money. */
import { OperatorError } from "../../../domain/operator-error.ts";
import type { Random } from "../../../platform/random.ts";
import { parseWholeNumber } from "../../format/input.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import { askedPart, sparklinesShown } from "../../page/list-part.ts";
import { openedWith } from "../../page/merged-edit.ts";
import type { PageCall } from "../../page/page.ts";
import type { ServiceDefaults } from "../../page/service-defaults.ts";
import { again, done, usualPages } from "../../page/usual-pages.tsx";
import { AccountPage } from "./account.tsx";
import { AccountChangesPage } from "./account-changes.tsx";
import type { NoteForm } from "./account-sections.tsx";
import { AccountSettingsPage } from "./account-settings.tsx";
import { AccountsPage, NewAccountPage } from "./accounts.tsx";
import {
  accountBalance,
  accountList,
  accountView,
  changesView,
  refusedSettings,
  settingsIn,
  settingsTexts,
  typedSettings,
} from "./accounts-view.ts";
import { BalancePage } from "./balance.tsx";
import { senderPages } from "./sender-pages.tsx";
import { accountSettingsWords, accountsWords, accountWords, balanceWords } from "./words.ts";

export interface AccountsPagesDeps {
  random: Pick<Random, "uuid">;
  defaults: ServiceDefaults;
}

type AccountCall = PageCall<{ readonly id: string }>;

const pathOf = ({ params }: AccountCall): string => `/accounts/${params.id}`;

const { shown, form, part, button, question } = usualPages("accounts", {
  read: "accounts.read",
  change: "accounts.change",
});

/** May be negative. */
function parseAmount(text: string): number | null {
  const isBelow = /^[-−]/.test(text);
  const amount = parseWholeNumber(text.slice(isBelow ? 1 : 0));
  return amount !== null && isBelow ? -amount : amount;
}

function accountPages({ defaults }: AccountsPagesDeps) {
  const inherited = defaults.account;
  /** `?note=new`: the form of a first note, opened by its button. */
  async function accountPage(call: AccountCall, typed?: NoteForm) {
    const view = await accountView(call.api, call.params.id, call.locale);
    const note = { texts: { note: view.note ?? "" }, errors: {}, isOpen: call.query.get("note") === "new" };
    return <AccountPage view={view} inherited={inherited} note={typed ?? note} />;
  }
  return [
    shown("/accounts/:id", (call) => accountPage(call)),
    part("/accounts/:id/note", {
      formAt: ({ path }) => ({ page: `${path.replace(/\/note$/, "")}?note=new` }),
      load: () => ({ texts: { note: "" }, isOpen: true }),
      typed: ({ form }) => ({ texts: { note: form.raw("note") } }),
      page: accountPage,
      async run(call, { texts: { note } }) {
        await call.api("PATCH /accounts/:id", { id: call.params.id, note });
        return done(`${pathOf(call)}#note`, accountWords[call.locale.language].noteSaved);
      },
    }),
    ...form("/accounts/:id/settings", {
      async load(call) {
        const { account, texts } = await settingsTexts(call);
        return { account, texts, opened: openedWith(texts), isShared: false, inherited };
      },
      typed: (call, { texts: now }) => typedSettings(call, now),
      View: AccountSettingsPage,
      async run(call, { texts, isShared }) {
        const { locale, params } = call;
        await call.api("PATCH /accounts/:id", { id: params.id, ...settingsIn(texts, locale) });
        const { saved } = accountSettingsWords[locale.language];
        return done(pathOf(call), isShared ? `${saved} ${locale.words.forms.shared}` : saved);
      },
      refused: refusedSettings,
    }),
  ];
}

const balancePages = ({ random }: AccountsPagesDeps) =>
  form("/accounts/:id/balance", {
    opens: "accounts.read",
    knowsRepeats: true,
    async load(call) {
      const reference = call.form.has("reference") ? call.form.text("reference") : random.uuid();
      return { ...(await accountBalance(call)), texts: { amount: "", note: "", reference } };
    },
    View: BalancePage,
    async run(call, { texts }) {
      const { api, form, params, locale } = call;
      const say = balanceWords[locale.language];
      const amount = parseAmount(texts.amount);
      if (amount === null) return again({ errors: { amount: say.amountWrong } });
      const { note } = texts;
      const entry = { id: params.id, amount, reference: texts.reference || undefined };
      try {
        const { duplicate } =
          form.text("kind") === "correction"
            ? await api("POST /accounts/:id/correct", { ...entry, note })
            : await api("POST /accounts/:id/topup", { ...entry, note: note || undefined });
        const told = duplicate ? say.enteredBefore : say.entered;
        return done(`${pathOf(call)}/balance`, told(locale.format.number(amount)));
      } catch (reason) {
        if (!(reason instanceof OperatorError) || reason.code !== "reference_taken") throw reason;
        return again({ texts: { ...texts, reference: random.uuid() }, errors: { amount: say.enteredOther } });
      }
    },
  });

export const accountsPages = (deps: AccountsPagesDeps) => [
  ...senderPages,
  shown("/accounts", async ({ api, query, locale }) => (
    <AccountsPage accounts={await accountList(api, { ...askedPart(query), rows: sparklinesShown }, locale)} />
  )),
  ...form("/accounts/new", {
    load: () => ({ texts: { name: "" } }),
    View: NewAccountPage,
    async run({ api, locale }, { texts: { name } }) {
      const { id } = await api("POST /accounts", { name });
      return done(`/accounts/${id}`, accountsWords[locale.language].created(name));
    },
  }),
  ...accountPages(deps),
  shown("/accounts/:id/changes", async ({ api, params, query }) => (
    <AccountChangesPage {...(await changesView(api, params.id, query.get("before")))} />
  )),
  ...question("/accounts/:id/suspend", {
    async ask(call) {
      const { name } = await namedAccount(call.api, call.params.id);
      return { words: accountWords[call.locale.language].suspending, name, back: pathOf(call) };
    },
    async run(call) {
      const { name } = await call.api("POST /accounts/:id/suspend", { id: call.params.id });
      return done(pathOf(call), accountWords[call.locale.language].suspended(name), { tone: "warn" });
    },
  }),
  button("/accounts/:id/resume", async (call) => {
    const { name } = await call.api("POST /accounts/:id/resume", { id: call.params.id });
    return done(pathOf(call), accountWords[call.locale.language].resumed(name));
  }),
  ...balancePages(deps),
];
