/** Every page in every state that it has, fed with the gallery's data. */

import type { VNode } from "preact";
import type { ChartData } from "../../../src/console/components/chart.tsx";
import type { Place, Shell, Theme } from "../../../src/console/components/navigation.tsx";
import { curlExample } from "../../../src/console/data/keys.ts";
import { listBeginning } from "../../../src/console/data/list-part.ts";
import type { Language } from "../../../src/console/language.ts";
import { createLocale, type Locale } from "../../../src/console/locale.ts";
import { AccountPage } from "../../../src/console/pages/account.tsx";
import { AccountSettingsPage } from "../../../src/console/pages/account-settings.tsx";
import { AccountsPage } from "../../../src/console/pages/accounts.tsx";
import { BalancePage } from "../../../src/console/pages/balance.tsx";
import { CallbacksPage } from "../../../src/console/pages/callbacks.tsx";
import { ConfirmPage } from "../../../src/console/pages/confirm.tsx";
import { DeliveriesPage, NewSigningSecretPage, ReplayPage } from "../../../src/console/pages/deliveries.tsx";
import { ErrorPage } from "../../../src/console/pages/error.tsx";
import { ImportPreviewPage } from "../../../src/console/pages/import-preview.tsx";
import { InboundMessagePage, InboundPage } from "../../../src/console/pages/inbound.tsx";
import { IssuedKeyPage, KeyFormPage, KeysPage } from "../../../src/console/pages/keys.tsx";
import { LinesPage } from "../../../src/console/pages/lines.tsx";
import { MenuPage } from "../../../src/console/pages/menu.tsx";
import { MessagePage } from "../../../src/console/pages/message.tsx";
import { MessagesPage } from "../../../src/console/pages/messages.tsx";
import { NowPage, type NowView } from "../../../src/console/pages/now.tsx";
import { OverviewPage } from "../../../src/console/pages/overview.tsx";
import { PatternPage } from "../../../src/console/pages/patterns.tsx";
import { PhonePage } from "../../../src/console/pages/phone.tsx";
import { ReportsPage } from "../../../src/console/pages/reports.tsx";
import { RoutePage } from "../../../src/console/pages/route.tsx";
import { NewRoutePage, type RouteFields, RoutesPage, RouteTestPage } from "../../../src/console/pages/routes.tsx";
import { ReviewPage, SendPage } from "../../../src/console/pages/send.tsx";
import { SendersPage } from "../../../src/console/pages/senders.tsx";
import { SignInPage } from "../../../src/console/pages/sign-in.tsx";
import { persianErrors } from "../../../src/console/words/fa/operator-error.ts";
import { operatorErrors } from "../../../src/domain/operator-error.ts";
import { permissions } from "../../../src/domain/permissions.ts";
import type { Reason } from "../../../src/domain/reason.ts";
import { describeReason } from "../../../src/domain/reason-text.ts";
import { carrierCatalogue } from "../../../src/providers/http/catalogue.ts";
import { BlocksPage } from "./blocks.tsx";
import * as data from "./data.ts";
import { listed } from "./listed.ts";
import { peoplePages } from "./people.tsx";
import { servicePages } from "./service.tsx";
import { trafficPages } from "./traffic.tsx";
import { notMobile } from "./wrong-lines.ts";

const toldAs = (reason: Reason) => ({ detail: describeReason(reason), reason });

const emptyRoute: RouteFields = {
  kind: "smpp",
  name: "",
  host: "",
  port: "",
  systemId: "",
  password: "",
  partsPerSecond: "",
  tls: false,
  file: "",
};
const carriers = carrierCatalogue().map((entry) => ({ ...entry, file: JSON.stringify(entry.file, null, 2) }));
const [carrier = null] = carriers;

/** More than a page of a list shows. */
const many = <Row,>(rows: readonly Row[]): Row[] => Array.from({ length: 61 }, () => rows).flat();
const mayAll = { change: true, changeKeys: true };

type Render = (locale: Locale, shell: Shell) => VNode;

function at(place: Place, render: Render): Render {
  return (locale, shell) => render(locale, { ...shell, place, path: `/${place}` });
}

/** The names of series are words; the data has their keys. */
function named(chart: ChartData, names: Readonly<Record<string, string>>): ChartData {
  return { ...chart, series: chart.series.map((one) => ({ ...one, name: names[one.name] ?? one.name })) };
}

function nowPage(view: NowView): Render {
  return at("now", ({ words }, shell) => (
    <NowPage shell={shell} view={{ ...view, outcomes: named(view.outcomes, words.now.series) }} />
  ));
}

function messagesView({ words, format }: Locale) {
  const total = words.counts.about(format.number(10_000_000));
  return data.messagesView(words.lists, words.lists.range(format.number(1), format.number(50), total));
}

const failedRows = ["failed"];

export const galleryPages: Readonly<Record<string, Render>> = {
  now: nowPage(data.nowView),
  "now-well": nowPage(data.nowWell),
  "now-first": nowPage(data.nowFirst),
  messages: at("messages", (locale, shell) => <MessagesPage shell={shell} view={messagesView(locale)} />),
  "messages-filtered": at("messages", (locale, shell) => {
    const view = messagesView(locale);
    const { words, format } = locale;
    const rows = view.rows.filter(({ state }) => failedRows.includes(state));
    return (
      <MessagesPage
        shell={shell}
        view={{
          ...view,
          query: "6789",
          bulk: { deed: "resend", href: "/messages/resend?status=failed" },
          rows,
          chips: [
            { name: words.messages.filter.status, value: words.states.failed, without: "/messages?range=24h" },
            {
              name: words.messages.filter.range,
              value: words.messages.ranges["24h"],
              without: "/messages?status=failed",
            },
            {
              name: words.messages.filter.account,
              value: "فروشگاه اینترنتی کتاب و نوشت‌افزار سپیدار",
              without: "/messages",
            },
          ],
          pages: {
            range: words.lists.range(format.number(1), format.number(5), format.number(5)),
            newer: "/messages",
            older: null,
          },
        }}
      />
    );
  }),
  "messages-none": at("messages", (locale, shell) => {
    const { words } = locale;
    return (
      <MessagesPage
        shell={shell}
        view={{
          ...messagesView(locale),
          query: "0912000",
          rows: [],
          chips: [{ name: words.messages.filter.route, value: "operator-b", without: "/messages" }],
          lookedBackTo: data.now - 20 * 86_400_000,
        }}
      />
    );
  }),
  "messages-first": at("messages", (locale, shell) => (
    <MessagesPage shell={shell} view={{ ...messagesView(locale), rows: [], untouched: true }} />
  )),
  message: at("messages", (_, shell) => <MessagePage shell={shell} view={data.messageView} />),
  "message-failed": at("messages", (_, shell) => <MessagePage shell={shell} view={data.messageFailed} />),
  "message-waiting": at("messages", (_, shell) => <MessagePage shell={shell} view={data.messageWaiting} />),
  send: at("send", (_, shell) => <SendPage shell={shell} view={data.sendView} />),
  pattern: at("patterns", (_, shell) => <PatternPage shell={shell} view={data.patternView} mayApprove />),
  "import-preview": at("groups", (locale, shell) => (
    <ImportPreviewPage
      shell={shell}
      view={{
        place: "groups",
        above: { title: "مشتریان نوروز", href: "/groups/nowruz" },
        preview: {
          ...data.importPreview,
          refused: [notMobile(4, "", "0912 34", locale)],
          choices: Object.entries(locale.words.imports.columns).map(([value, label]) => ({ value, label })),
        },
      }}
    />
  )),
  "send-wrong": at("send", ({ words }, shell) => (
    <SendPage
      shell={shell}
      view={{
        ...data.sendView,
        fields: { ...data.sendView.fields, recipients: "0912", when: "1405/12/30 08:00" },
        errors: { recipients: words.send.error.recipientsNone, when: words.send.error.when },
      }}
    />
  )),
  "send-many": at("send", ({ words }, shell) => (
    <SendPage
      shell={shell}
      view={{
        ...data.sendView,
        senders: data.sendersOfMany,
        fields: { ...data.sendView.fields, from: "3000" },
        errors: { from: words.forms.sender.near("3000", "acc_1/30001000 (بانک آینده‌سازان)") },
      }}
    />
  )),
  "send-first": at("send", (_, shell) => <SendPage shell={shell} view={{ ...data.sendView, senders: [] }} />),
  "send-review": at("send", ({ words }, shell) => (
    <ReviewPage
      shell={shell}
      view={{
        ...data.reviewView,
        refused: data.reviewView.refused.map((one) => ({ ...one, reason: words.send.refused.not_mobile })),
      }}
    />
  )),
  inbound: at("inbound", ({ words }, shell) => <InboundPage shell={shell} view={data.inboundView(words.lists)} />),
  "inbound-first": at("inbound", ({ words }, shell) => (
    <InboundPage shell={shell} view={{ ...data.inboundView(words.lists), rows: [], untouched: true }} />
  )),
  "inbound-message": at("inbound", (_, shell) => <InboundMessagePage shell={shell} view={data.inboundMessageView} />),
  lines: at("inbound", (_, shell) => <LinesPage shell={shell} view={data.linesView} />),
  "lines-many": at("inbound", (_, shell) => <LinesPage shell={shell} view={data.linesOfMany} />),
  "lines-first": at("inbound", (_, shell) => <LinesPage shell={shell} view={{ lines: listed([]), form: null }} />),
  phone: at("inbound", (_, shell) => <PhonePage shell={shell} view={data.phoneView} />),
  overview: at("overview", ({ words }, shell) => (
    <OverviewPage
      shell={{ ...shell, role: "customer" }}
      view={{ ...data.overviewView, usage: named(data.overviewView.usage, words.now.series) }}
    />
  )),
  "overview-first": at("overview", ({ words }, shell) => (
    <OverviewPage
      shell={{ ...shell, role: "customer" }}
      view={{
        ...data.overviewView,
        needs: [],
        messagesThisMonth: 0,
        partsThisMonth: 0,
        failedThisMonth: 0,
        deliveredRatio: null,
        balance: null,
        latest: [],
        usage: named(data.nowFirst.outcomes, words.now.series),
      }}
    />
  )),
  account: at("accounts", ({ words }, shell) => (
    <AccountPage
      may={mayAll}
      shell={shell}
      view={{ ...data.accountView, usage: named(data.accountView.usage, words.now.series) }}
    />
  )),
  "account-new": at("accounts", ({ words }, shell) => (
    <AccountPage
      may={mayAll}
      shell={shell}
      view={{
        ...data.accountView,
        name: "Mehr Clinics",
        state: "suspended",
        messagesThisMonth: 0,
        partsThisMonth: 0,
        deliveredRatio: null,
        billing: "free",
        usage: named(data.nowFirst.outcomes, words.now.series),
        keys: listed([]),
        senders: listed([]),
        quotas: [],
        note: "",
      }}
    />
  )),
  "account-many": at("accounts", ({ words }, shell) => (
    <AccountPage
      may={mayAll}
      shell={shell}
      view={{
        ...data.accountView,
        usage: named(data.accountView.usage, words.now.series),
        keys: listed(many(data.accountView.keys.rows), listBeginning),
        senders: listed(many(data.accountView.senders.rows), listBeginning),
      }}
    />
  )),
  senders: at("accounts", (_, shell) => (
    <SendersPage
      shell={shell}
      view={{
        account: data.accountView,
        senders: listed(many(data.accountView.senders.rows), { q: "", page: 2 }),
        mayChange: true,
      }}
    />
  )),
  accounts: at("accounts", (_, shell) => <AccountsPage shell={shell} accounts={listed(data.accountList)} mayChange />),
  "accounts-many": at("accounts", (_, shell) => (
    <AccountsPage shell={shell} accounts={listed(many(data.accountList), { q: "", page: 2 })} mayChange />
  )),
  "accounts-first": at("accounts", (_, shell) => <AccountsPage shell={shell} accounts={listed([])} mayChange />),
  "account-limits": at("accounts", (_, shell) => (
    <AccountSettingsPage
      shell={shell}
      view={{
        id: "acc_1",
        accountName: "Mehr Clinics",
        fields: {
          name: "Mehr Clinics",
          defaultSender: "30001234",
          timeZone: "Asia/Tehran",
          countries: "IR",
          quietHours: "22:00-08:00",
          quietSingles: "no",
          suppression: "bulk",
          retentionDays: "",
          textDays: "30",
          day: "",
          month: "50000",
        },
        errors: {},
        opened: "",
      }}
    />
  )),
  "account-balance": at("accounts", (_, shell) => <BalancePage shell={shell} view={data.balanceView} mayChange />),
  "key-new": at("accounts", (_, shell) => (
    <KeyFormPage
      shell={shell}
      view={{
        title: "backend",
        above: { title: "Mehr Clinics", href: "/accounts/acc_2" },
        action: "/accounts/acc_2/keys/new",
        texts: {
          name: "backend",
          rate: "",
          permissions: permissions.join(" "),
          expiresAt: "",
          allowFrom: "203.0.113.0/24",
        },
        errors: {},
        isTest: false,
        opened: null,
      }}
    />
  )),
  "key-issued": at("accounts", (_, shell) => (
    <IssuedKeyPage
      shell={shell}
      view={{
        name: "backend",
        above: { title: "Mehr Clinics", href: "/accounts/acc_2" },
        secret: "peyk_dhD0ACaO5lakzWMTqZgB9qp8Ownd2K0JpM3BvCbSzMM",
        example: curlExample("https://sms.example.com", "peyk_dhD0ACaO5lakzWMTqZgB9qp8Ownd2K0JpM3BvCbSzMM", "30001234"),
      }}
    />
  )),
  keys: at("keys", (_, shell) => (
    <KeysPage shell={shell} view={{ of: null, path: "/keys", keys: data.accountView.keys, mayChange: true }} />
  )),
  routes: at("routes", (_, shell) => <RoutesPage shell={shell} routes={listed(data.routeItems)} mayChange />),
  route: at("routes", (_, shell) => (
    <RoutePage shell={shell} view={data.routeView} may={{ change: true, seeSecrets: true }} />
  )),
  "route-new": at("routes", (_, shell) => (
    <NewRoutePage
      shell={shell}
      view={{
        fields: { ...emptyRoute, name: "operator-c", host: "smsc-c.example.net", port: "2775" },
        carriers: [],
        carrier: null,
        errors: {},
      }}
    />
  )),
  "route-new-http": at("routes", (_, shell) => (
    <NewRoutePage
      shell={shell}
      view={{
        fields: { ...emptyRoute, kind: "http", name: "kannel", file: carrier?.file ?? "" },
        carriers,
        carrier,
        errors: {},
      }}
    />
  )),
  "route-test": at("routes", (_, shell) => (
    <RouteTestPage
      shell={shell}
      view={{
        name: "operator-a",
        ok: true,
        steps: [
          { name: "connect", ok: true, detail: "smsc-a.example.net:2775 in 12 ms" },
          { name: "bind", ...toldAs({ code: "test_bound", mode: "transceiver", systemId: "peyk" }), ok: true },
          { name: "unbind", ...toldAs({ code: "unbound" }), ok: true },
          { name: "login", ...toldAs({ code: "test_credentials_untried" }), ok: null },
        ],
      }}
    />
  )),
  callbacks: at("callbacks", (_, shell) => <CallbacksPage shell={shell} webhooks={listed(data.webhookItems)} />),
  deliveries: at("callbacks", (_, shell) => (
    <DeliveriesPage shell={shell} view={data.deliveriesView} may={{ change: true, rotate: true }} />
  )),
  "callbacks-again": at("callbacks", (_, shell) => (
    <ReplayPage shell={shell} view={{ id: "b2", host: "api.ayandehsazan.example" }} />
  )),
  "callbacks-secret": at("callbacks", (_, shell) => (
    <NewSigningSecretPage
      shell={shell}
      view={{ id: "b2", secret: "whsec_bm90IGEgc2VjcmV0IG9mIGFueWJvZHk", signsFrom: data.now + 86_400_000 }}
    />
  )),
  "callbacks-first": at("callbacks", (_, shell) => <CallbacksPage shell={shell} webhooks={listed([])} />),
  reports: at("reports", ({ words }, shell) => (
    <ReportsPage shell={shell} view={{ ...data.reportsView, chart: named(data.reportsView.chart, words.now.series) }} />
  )),
  confirm: at("accounts", ({ language }, shell) => (
    <ConfirmPage
      shell={shell}
      view={
        language === "fa"
          ? {
              question: "کلید core-banking باطل شود؟",
              goes: ["هرچه با این کلید می‌فرستد، از همین دم ۴۰۱ می‌گیرد."],
              stays: ["پیام‌هایی که پذیرفته شده‌اند فرستاده می‌شوند.", "گزارش‌ها و سرگذشت پیام‌ها."],
              action: "/accounts/acc_1/keys/key_1/revoke",
              doIt: "باطل کردن core-banking",
              keep: "نگه داشتن آن",
              back: "/accounts/acc_1/keys",
            }
          : {
              question: "Revoke the key core-banking?",
              goes: ["Whatever sends with this key is answered 401 from now on."],
              stays: ["Messages that were accepted are sent.", "Reports and the stories of its messages."],
              action: "/accounts/acc_1/keys/key_1/revoke",
              doIt: "Revoke core-banking",
              keep: "Keep it",
              back: "/accounts/acc_1/keys",
            }
      }
    />
  )),
  menu: at("messages", (_, shell) => <MenuPage shell={shell} />),
  "sign-in": (_, { owner, theme }) => <SignInPage view={{ owner, theme, user: "", next: "/", trouble: null }} />,
  "sign-in-wrong": (_, { owner, theme }) => (
    <SignInPage view={{ owner, theme, user: "leila", next: "/messages", trouble: { kind: "wrong" } }} />
  ),
  "not-found": (_, { theme }) => <ErrorPage view={{ kind: "notFound", theme, id: null, href: "/" }} />,
  "wrong-address": (_, { theme }) => <ErrorPage view={{ kind: "wrongAddress", theme, id: null, href: "/messages" }} />,
  refused: ({ language }, { theme }) => {
    const sentence = language === "fa" ? persianErrors.nothing_to_approve : operatorErrors.nothing_to_approve.meaning;
    return <ErrorPage view={{ kind: "refused", theme, id: null, href: "/", sentence }} />;
  },
  "not-stored": (_, { theme }) => {
    const form = { path: "/accounts/new", fields: [["name", "Clinic"]] as const };
    return <ErrorPage view={{ kind: "notStored", theme, id: null, href: "/", form }} />;
  },
  failed: (_, { theme }) => <ErrorPage view={{ kind: "failed", theme, id: "4f6c2c9e0f0e4a54", href: "/" }} />,
  ...peoplePages,
  ...servicePages,
  ...trafficPages,
  blocks: at("system", (locale, shell) => <BlocksPage shell={shell} locale={locale} />),
};

export function galleryPage(name: string, language: Language, theme: Theme): { locale: Locale; page: VNode } | null {
  const render = galleryPages[name];
  if (render === undefined) return null;
  const locale = createLocale({ language, zone: data.zone, now: data.now });
  return { locale, page: render(locale, { ...data.shell, theme }) };
}
