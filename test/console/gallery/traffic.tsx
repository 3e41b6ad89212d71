/** Routing plans, suppression, prices and alerts in every state that they have. */

import type { VNode } from "preact";
import { conditionFinding } from "../../../src/conditions/conditions.ts";
import type { Shell } from "../../../src/console/components/navigation.tsx";
import type { Locale } from "../../../src/console/locale.ts";
import { AlertsPage, type AlertsView } from "../../../src/console/pages/alerts.tsx";
import { ChargedAccountsPage, type ChargedAccountsView } from "../../../src/console/pages/charged-accounts.tsx";
import { PlanPage, type PlanView } from "../../../src/console/pages/plan.tsx";
import { type PlanRuleFields, PlanRulePage } from "../../../src/console/pages/plan-rule.tsx";
import { NewPlanPage, PlansPage } from "../../../src/console/pages/plans.tsx";
import { PriceListPage, type PriceListView } from "../../../src/console/pages/price-list.tsx";
import { PricesPage } from "../../../src/console/pages/prices.tsx";
import {
  SuppressionImportPage,
  SuppressionPage,
  type SuppressionView,
} from "../../../src/console/pages/suppression.tsx";
import { type NoticeFailure, noticeFailureText } from "../../../src/domain/notice-failure.ts";
import { now, sendersOfMany } from "./data.ts";
import { listed } from "./listed.ts";
import { notMobile } from "./wrong-lines.ts";

const iso = (hoursAgo: number) => new Date(now - hoursAgo * 3_600_000).toISOString();

const rule = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };

const plan: PlanView["plan"] = {
  name: "iran-by-network",
  rules: [
    {
      ...rule,
      number: 1,
      takes: "numbers of Irancell; class otp",
      networks: ["Irancell", "Rightel"],
      classes: ["otp"],
      targets: [
        { weight: 70, routes: ["operator-a", "operator-b"] },
        { weight: 30, routes: ["kannel-backup-tehran-2"] },
      ],
    },
    { ...rule, number: 2, takes: "all numbers", targets: [{ weight: 1, routes: ["operator-b"] }] },
  ],
  senders: [{ account: "acc_12", sender: "30001234" }],
  problems: [
    { rule: 1, code: "routes_disabled", values: { targets: [["operator-b"]] }, message: "" },
    { rule: 2, code: "shadowed", values: { by: [1] }, message: "" },
  ],
  createdAt: iso(900),
};

const planView: PlanView = {
  plan,
  accounts: [{ value: "acc_12", label: "کلینیک‌های زنجیره‌ای مهر" }],
  senders: [{ value: "acc_12/30005678", label: "کلینیک‌های زنجیره‌ای مهر · 30005678" }],
  given: { sender: "", errors: {} },
  mayChange: true,
  trial: {
    fields: { numbers: "09351234567, 123", class: "otp", account: "" },
    errors: {},
    result: {
      total: 12_400,
      byRule: [
        { rule: 1, count: 12_398 },
        { rule: null, count: 1 },
      ],
      noMobile: 1,
      shown: [
        {
          recipient: "09351234567",
          number: "+989351234567",
          network: "Irancell",
          rule: 1,
          targets: plan.rules[0]?.targets ?? [],
        },
        { recipient: "09121234567", number: "+989121234567", network: null, rule: null, targets: [] },
        { recipient: "123", number: null, network: null, rule: null, targets: [] },
      ],
    },
  },
};

const ruleFields: PlanRuleFields = {
  countries: "",
  ranges: "+98912",
  networks: "Irancell",
  classes: ["otp"],
  accounts: "",
  targets: [
    { routes: "operator-a, operator-c", weight: "70" },
    { routes: "operator-b", weight: "30" },
  ],
  number: "",
};

const suppression: SuppressionView = {
  list: null,
  accounts: [{ value: "acc_12", label: "کلینیک‌های زنجیره‌ای مهر" }],
  names: new Map([["acc_12", "کلینیک‌های زنجیره‌ای مهر"]]),
  asked: { account: "" },
  sought: "",
  entries: [
    { account: null, number: "+989121234567", source: "operator", detail: "asked by phone", addedAt: iso(3) },
    { account: "acc_12", number: "+989351234567", source: "keyword", detail: "30001234", addedAt: iso(30) },
    { account: null, number: "+989191234567", source: "import", detail: "blocked.csv", addedAt: iso(300) },
  ],
  older: "/suppression?before=989191234567",
  form: { number: "", note: "", errors: {} },
};

const imported = (locale: Locale) => ({
  account: null,
  href: "/suppression/imports/1",
  progress: {
    done: 3,
    total: 3,
    refused: [notMobile(2, "0912", "0912", locale)],
    refusedCount: 1,
    refusedCsv: "/suppression/imports/1/refused",
  },
  end: { kind: "wrong" as const },
});

const chargedAccounts: ChargedAccountsView = {
  list: "retail",
  accounts: listed(
    Array.from({ length: 120 }, (_, index) => {
      const billing = index % 3 === 0 ? ("postpaid" as const) : ("prepaid" as const);
      return { id: `acc_${index + 1}`, name: `کلینیک ${index + 1}`, billing };
    }),
    { q: "", page: 2 },
  ),
};

const priceList: PriceListView = {
  list: {
    name: "retail",
    currency: "IRR",
    lineCount: 48_210,
    accounts: [{ account: "acc_12", billing: "prepaid" }],
    routes: ["operator-a"],
    createdAt: iso(900),
  },
  charged: [{ account: "acc_12", billing: "prepaid" }],
  lines: listed<PriceListView["lines"]["rows"][number]>([
    { prefix: "*", price: 1_250, validFrom: iso(900), state: "valid" },
    { prefix: "98912", price: 900, validFrom: iso(-200), state: "later" },
    { prefix: "98935", price: 880, validFrom: iso(1_200), state: "over" },
  ]),
  accounts: [
    { value: "acc_12", label: "کلینیک‌های زنجیره‌ای مهر" },
    { value: "acc_13", label: "City Bank" },
  ],
  names: new Map([["acc_12", "کلینیک‌های زنجیره‌ای مهر"]]),
  routes: ["operator-a", "operator-b"],
  price: { fields: { list: "", prefix: "98912", price: "many", from: "" }, errors: {}, currency: "IRR" },
  use: { account: "", errors: {} },
};

const routeDown = conditionFinding("RouteDown", { route: "operator-b" });
const failed = (failureReason: NoticeFailure) => ({ failure: noticeFailureText(failureReason), failureReason });
const leads = { leads: routeDown, isOver: false, more: 0, title: routeDown.words };

const alerts: AlertsView = {
  channels: ["webhook", "mail"],
  alerts: [
    {
      ...routeDown,
      condition: "RouteDown",
      severity: "page",
      todo: "peyk route show operator-b",
      state: "firing",
      since: iso(1),
    },
    {
      ...conditionFinding("CertificateEnds", { leftMs: 6 * 86_400_000 }),
      condition: "CertificateEnds",
      subject: null,
      severity: "ticket",
      todo: "renew it, then: systemctl reload peyk",
      state: "pending",
      since: iso(0.1),
    },
  ],
  notices: [
    { ...leads, at: iso(1), channel: "webhook", attempts: 1, nextAt: null, failure: null, failureReason: null },
    {
      ...leads,
      at: iso(1),
      channel: "mail",
      attempts: 3,
      nextAt: iso(-0.2),
      ...failed({ code: "as_told", values: { words: "454 Relay access denied" } }),
    },
    {
      ...leads,
      at: iso(1),
      channel: "webhook",
      attempts: 3,
      nextAt: null,
      ...failed({ code: "not_called", values: { failure: "status", status: 500, detail: "" } }),
    },
  ],
};

type Render = (locale: Locale, shell: Shell) => VNode;
const at =
  (place: Shell["place"], render: (shell: Shell, locale: Locale) => VNode): Render =>
  (locale, shell) =>
    render({ ...shell, place, path: `/${place}` }, locale);

export const trafficPages: Readonly<Record<string, Render>> = {
  plans: at("plans", (shell) => <PlansPage shell={shell} plans={listed([plan])} mayChange />),
  "plans-none": at("plans", (shell) => <PlansPage shell={shell} plans={listed([])} mayChange />),
  "plan-new": at("plans", (shell) => <NewPlanPage shell={shell} view={{ name: "iran", errors: {} }} />),
  "plan-rule": at("plans", (shell, { words }) => (
    <PlanRulePage
      shell={shell}
      view={{
        plan: plan.name,
        changed: null,
        fields: ruleFields,
        errors: { targets: words.plans.noRoute },
        networks: ["MCI", "Irancell", "Rightel"],
        routes: ["operator-a", "operator-b"],
      }}
    />
  )),
  "plan-rule-change": at("plans", (shell, { words }) => (
    <PlanRulePage
      shell={shell}
      view={{
        plan: plan.name,
        changed: { number: 2, opened: "" },
        fields: ruleFields,
        errors: { targets: words.planRule.changedByOther },
        networks: ["MCI", "Irancell", "Rightel"],
        routes: ["operator-a", "operator-b"],
      }}
    />
  )),
  plan: at("plans", (shell) => <PlanPage shell={shell} view={planView} />),
  "plan-many": at("plans", (shell, { words }) => {
    const given = { sender: "3000", errors: { sender: words.forms.sender.unknown("3000") } };
    return <PlanPage shell={shell} view={{ ...planView, senders: sendersOfMany, given }} />;
  }),
  suppression: at("system", (shell) => <SuppressionPage shell={shell} view={suppression} />),
  "suppression-none": at("system", (shell, { words }) => (
    <SuppressionPage
      shell={shell}
      view={{
        ...suppression,
        sought: "0912",
        entries: [],
        older: null,
        form: { number: "12", note: "", errors: { number: words.suppression.noNumber } },
      }}
    />
  )),
  "suppression-import": at("system", (shell, locale) => (
    <SuppressionImportPage shell={shell} view={imported(locale)} />
  )),
  prices: at("system", (shell) => (
    <PricesPage
      shell={shell}
      view={{ lists: [priceList.list], form: { name: "", errors: {}, price: priceList.price } }}
    />
  )),
  "prices-none": at("system", (shell, { words }) => (
    <PricesPage
      shell={shell}
      view={{
        lists: [],
        form: { name: "retail", errors: { file: words.prices.noFile }, price: priceList.price },
      }}
    />
  )),
  price: at("system", (shell) => <PriceListPage shell={shell} view={priceList} />),
  "price-accounts": at("system", (shell) => <ChargedAccountsPage shell={shell} view={chargedAccounts} />),
  alerts: at("system", (shell) => <AlertsPage shell={shell} view={alerts} />),
  "alerts-none": at("system", (shell) => <AlertsPage shell={shell} view={{ channels: [], alerts: [], notices: [] }} />),
};
