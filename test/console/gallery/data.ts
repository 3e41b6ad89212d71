/** Lively data for the pages: long names, both scripts, failures, ten million rows. The same at every run. */
import type { ChartData } from "../../../src/console/components/chart.tsx";
import type { ImportPreviewView } from "../../../src/console/components/import.tsx";
import type { Shell } from "../../../src/console/components/navigation.tsx";
import type { AccountView } from "../../../src/console/pages/account.tsx";
import type { AccountListItem } from "../../../src/console/pages/accounts.tsx";
import type { BalanceView } from "../../../src/console/pages/balance.tsx";
import type { WebhookListItem } from "../../../src/console/pages/callbacks.tsx";
import type { DeliveriesView } from "../../../src/console/pages/deliveries.tsx";
import type { InboundMessageView, InboundView } from "../../../src/console/pages/inbound.tsx";
import type { AccountKeyView } from "../../../src/console/pages/keys.tsx";
import type { LineItem, LinesView } from "../../../src/console/pages/lines.tsx";
import type { MessageView } from "../../../src/console/pages/message.tsx";
import type { MessageListItem, MessagesView } from "../../../src/console/pages/messages.tsx";
import type { NowView } from "../../../src/console/pages/now.tsx";
import type { OverviewView } from "../../../src/console/pages/overview.tsx";
import type { PatternPageView } from "../../../src/console/pages/patterns.tsx";
import type { PhoneView } from "../../../src/console/pages/phone.tsx";
import type { ReportsView } from "../../../src/console/pages/reports.tsx";
import type { RouteView } from "../../../src/console/pages/route.tsx";
import type { RouteListItem } from "../../../src/console/pages/routes.tsx";
import type { ReviewView, SendView } from "../../../src/console/pages/send.tsx";
import type { AccountSenderView } from "../../../src/console/pages/senders.tsx";
import { describeReason } from "../../../src/domain/reason-text.ts";
import { listed } from "./listed.ts";

/** 21:35:00 in Tehran on the 30th of Aban 1405. */
export const now = Date.UTC(2026, 10, 21, 18, 5, 0);
export const zone = "Asia/Tehran";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const ago = (ms: number): number => now - ms;

/** Numbers that look random and are the same at every run. */
function steady(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

export const shell: Shell = {
  role: "owner",
  user: "Leila Ahmadi",
  owner: "پیام‌رسان سپهر",
  place: "now",
  theme: "system",
  shortcuts: true,
  approvals: 3,
  path: "/",
  notices: null,
};

function minutes(): ChartData {
  const next = steady(7);
  const times = Array.from({ length: 60 }, (_, index) => ago((59 - index) * minuteMs));
  const level = (index: number) => 900 + 420 * Math.sin(index / 9) + 160 * next() - (index > 46 ? 380 : 0);
  const delivered = times.map((_, index) => Math.round(level(index)));
  const sent = times.map((_, index) => Math.round(120 + 60 * next() + (index > 46 ? 260 : 0)));
  const failed = times.map((_, index) => Math.round(14 + 22 * next() + (index > 46 ? 90 : 0)));
  return {
    times,
    step: "minute",
    series: [
      { name: "delivered", values: delivered, line: "solid", colour: 1 },
      { name: "sent", values: sent, line: "dashed", colour: 3 },
      { name: "failed", values: failed, line: "dotted", colour: 2 },
    ],
  };
}

function days(count: number, size: number): ChartData {
  const next = steady(count);
  const times = Array.from({ length: count }, (_, index) => ago((count - 1 - index) * dayMs));
  const weekend = (at: number): number => (new Date(at).getUTCDay() === 5 ? 0.35 : 1);
  const delivered = times.map((at) => Math.round(size * weekend(at) * (0.85 + 0.3 * next())));
  const failed = delivered.map((value) => Math.round(value * (0.01 + 0.02 * next())));
  return {
    times,
    step: "day",
    series: [
      { name: "delivered", values: delivered, line: "solid", colour: 1 },
      { name: "failed", values: failed, line: "dotted", colour: 2 },
    ],
  };
}

const bindRefused = { code: "bind_refused", command: null, status: 0x0e, statusName: "ESME_RINVPASWD" } as const;

export const nowView: NowView = {
  needs: [
    {
      kind: "routeDown",
      route: "operator-b",
      since: ago(13 * minuteMs),
      waiting: 1203,
      cause: describeReason(bindRefused),
      reason: bindRefused,
    },
    {
      kind: "callbacksFailing",
      webhook: "4f6c2c9e-0f0e-4a54-9a50-0d2a3f1c7b11",
      account: "کلینیک‌های زنجیره‌ای مهر",
      host: "hooks.mehr-clinics.example",
      since: ago(42 * minuteMs),
      waiting: 318,
      answer: "connect_failed",
      attempt: { failure: "connect_failed", status: null, detail: "" },
    },
    { kind: "condition", code: "ReceiptsUnmatched", values: { route: "operator-a", count: 27 } },
  ],
  acceptedToday: 1_284_310,
  acceptedYesterday: 1_190_402,
  deliveredRatio: 0.9741,
  failedToday: 18_402,
  waiting: 1_641,
  oldestWaitingMs: 13 * minuteMs,
  outcomes: minutes(),
  queue: [
    { class: "otp", waiting: 2, oldestMs: 180 },
    { class: "single", waiting: 436, oldestMs: 13 * minuteMs },
    { class: "bulk", waiting: 1203, oldestMs: 12 * minuteMs },
  ],
  moreRoutes: 0,
  routes: [
    {
      name: "operator-a",
      state: "up",
      partsPerSecond: 187.4,
      partsPerSecondMax: 200,
      unanswered: 34,
      window: 50,
      waiting: 438,
    },
    {
      name: "operator-b",
      state: "down",
      partsPerSecond: 0,
      partsPerSecondMax: 100,
      unanswered: 0,
      window: 20,
      waiting: 1203,
    },
    {
      name: "kannel-backup-tehran-2",
      state: "up",
      partsPerSecond: 12,
      partsPerSecondMax: null,
      unanswered: 1,
      window: 10,
      waiting: 0,
    },
    {
      name: "simulator",
      state: "off",
      partsPerSecond: 0,
      partsPerSecondMax: 500,
      unanswered: 0,
      window: 50,
      waiting: 0,
    },
  ],
  begin: null,
};

export const nowWell: NowView = {
  ...nowView,
  needs: [],
  waiting: 0,
  oldestWaitingMs: null,
  queue: nowView.queue.map((row) => ({ ...row, waiting: 0, oldestMs: null })),
  routes: nowView.routes.map((row) => ({
    ...row,
    state: row.state === "down" ? ("up" as const) : row.state,
    waiting: 0,
  })),
};

const flat = minutes();
export const nowFirst: NowView = {
  ...nowView,
  needs: [],
  acceptedToday: 0,
  acceptedYesterday: 0,
  deliveredRatio: null,
  failedToday: 0,
  waiting: 0,
  oldestWaitingMs: null,
  outcomes: { ...flat, series: flat.series.map((one) => ({ ...one, values: one.values.map(() => 0) })) },
  queue: nowWell.queue,
  routes: nowView.routes.slice(3).map((row) => ({ ...row, state: "up" as const })),
  begin: { carrier: true, account: false, message: false },
};

const accounts = [
  "بانک آینده‌سازان",
  "Mehr Clinics",
  "شهرداری اصفهان",
  "Dana Insurance",
  "فروشگاه اینترنتی کتاب و نوشت‌افزار سپیدار",
];
const senders = ["300012345", "Mehr", "982000", "50004001", "300088"];

const routesDown = { code: "waits_routes_down", routes: ["operator-b"], since: ago(13 * minuteMs) } as const;

const samples: readonly Pick<MessageListItem, "state" | "reason" | "parts">[] = [
  { state: "delivered", reason: { kind: "delivered", afterMs: 2400 }, parts: 1 },
  {
    state: "waiting",
    reason: { kind: "told", reason: { code: "waits_rate", route: "operator-a", partsPerSecond: 120 } },
    parts: 2,
  },
  { state: "waiting", reason: { kind: "told", reason: routesDown }, parts: 1 },
  { state: "failed", reason: { kind: "failed", error: "rejected_by_network" }, parts: 1 },
  { state: "delivered", reason: { kind: "delivered", afterMs: 900 }, parts: 1 },
  { state: "sending", reason: { kind: "told", reason: { code: "waits_next_attempt", at: now + minuteMs } }, parts: 3 },
  { state: "sent", reason: { kind: "noReceipt", handedOverAt: ago(3 * minuteMs) }, parts: 1 },
  { state: "scheduled", reason: { kind: "scheduled", at: now + 11 * hourMs }, parts: 1 },
  { state: "delivered", reason: { kind: "delivered", afterMs: 71_000 }, parts: 7 },
  { state: "failed", reason: { kind: "failed", error: "recipient_unreachable" }, parts: 1 },
  { state: "unsure", reason: { kind: "told", reason: { code: "waits_next_attempt", at: now + 40_000 } }, parts: 1 },
  { state: "failed", reason: { kind: "failed", error: "expired" }, parts: 1 },
  { state: "cancelled", reason: { kind: "cancelled" }, parts: 1 },
  { state: "delivered", reason: { kind: "delivered", afterMs: 5100 }, parts: 1 },
];

const rows: readonly MessageListItem[] = Array.from({ length: 24 }, (_, index) => {
  const sample = samples[index % samples.length] ?? { state: "sent", reason: null, parts: 1 };
  return {
    code: `01KAK7M${String(1_000_000 + index * 7919).slice(0, 7)}XQ2ZT4WVB0`,
    at: ago(index < 18 ? (index * 47 + 4) * secondMs : dayMs + index * minuteMs),
    to: `0912${String(3_450_000 + index * 38_717).slice(0, 7)}`,
    sender: senders[index % senders.length] ?? "",
    account: accounts[index % accounts.length] ?? "",
    ...sample,
  };
});

export function messagesView(words: { any: string }, range: string): MessagesView {
  const one = (value: string) => [
    { value: "", label: words.any },
    { value, label: value },
  ];
  return {
    query: "",
    filters: [
      { name: "status", value: "", options: one("failed") },
      { name: "route", value: "operator-a", options: one("operator-a") },
      { name: "account", value: "", options: one("بانک آینده‌سازان") },
      { name: "error", value: "", options: one("expired") },
      { name: "range", value: "24h", options: one("24h") },
    ],
    chips: [],
    rows,
    live: null,
    pages: { range, newer: null, older: "/messages?before=01KAK7M" },
    lookedBackTo: null,
    csv: "/messages.csv?range=24h",
    hidden: [],
    bulk: null,
    fixedTimesPath: "/messages?from=2026-11-20T18:05:00Z&to=2026-11-21T18:05:00Z",
    untouched: false,
  };
}

export const messageView: MessageView = {
  code: "01KAK7M4WZ9Q2XQ2ZT4WVB0F3R",
  to: "09123456789",
  state: "delivered",
  reason: { kind: "delivered", afterMs: 151_400 },
  ahead: null,
  events: [
    { kind: "accepted", at: ago(9 * minuteMs), key: "core-banking" },
    { kind: "claimed", at: ago(9 * minuteMs) + 71_800, waitedMs: 71_798 },
    {
      kind: "told",
      entry: "throttled",
      at: ago(9 * minuteMs) + 71_960,
      route: "operator-a",
      reason: {
        kind: "told",
        reason: { code: "smpp_refused", status: 0x58, statusName: "ESME_RTHROTTLED" },
      },
    },
    { kind: "taken", at: ago(9 * minuteMs) + 141_000, route: "operator-a", parts: 2, waitedMs: 69_000 },
    { kind: "delivered", at: ago(9 * minuteMs) + 151_400, afterMs: 10_400, waitedMs: 10_400 },
    {
      kind: "callback",
      at: ago(9 * minuteMs) + 151_600,
      host: "api.ayandehsazan.example",
      of: "delivered",
      status: 503,
      tookMs: 10_000,
      taken: false,
    },
    {
      kind: "callback",
      at: ago(9 * minuteMs) + 172_000,
      host: "api.ayandehsazan.example",
      of: "delivered",
      status: 204,
      tookMs: 84,
      taken: true,
      waitedMs: 10_400,
    },
  ],
  text: "مشتری گرامی، مبلغ ۱٬۲۵۰٬۰۰۰ ریال به حساب 0104578213005 شما واریز شد.\nمانده: ۱۸٬۴۳۰٬۵۰۰ ریال\n۱۴۰۵/۰۸/۳۰ ۲۱:۲۵\nبانک آینده‌سازان",
  masked: false,
  encoding: "Persian",
  characters: 118,
  parts: 2,
  sender: "300012345",
  account: { id: "acc_1", name: "بانک آینده‌سازان" },
  key: "core-banking",
  reference: "TX-2026-1121-889213",
  route: "operator-a",
  cost: { amount: 1780, currency: "IRR" },
  carrierIds: ["7f3a90c1", "7f3a90c2"],
  resendOf: null,
  resentAs: null,
  possibleArrivals: null,
  validUntil: null,
  mayCancel: false,
  mayResend: true,
  curl: "curl http://127.0.0.1:8080/v1/messages/01KAK7M4WZ9Q2XQ2ZT4WVB0F3R -H 'X-API-Key: …'",
};

export const messageFailed: MessageView = {
  ...messageView,
  code: "01KAK7M9A02Q2XQ2ZT4WVB0F41",
  state: "failed",
  reason: { kind: "failed", error: "rejected_by_network" },
  events: [
    { kind: "accepted", at: ago(60_000), key: null },
    { kind: "claimed", at: ago(59_700) },
    {
      kind: "told",
      entry: "rejected",
      at: ago(59_600),
      route: "operator-a",
      reason: { kind: "told", reason: { code: "smpp_refused", status: 0x0a, statusName: "ESME_RINVSRCADR" } },
    },
    { kind: "failed", at: ago(59_600), reason: { kind: "failed", error: "rejected_by_network" } },
  ],
  key: null,
  possibleArrivals: 2,
  carrierIds: [],
  resendOf: "01KAK7M4WZ9Q2XQ2ZT4WVB0F3R",
};

export const messageWaiting: MessageView = {
  ...messageView,
  state: "waiting",
  reason: { kind: "told", reason: routesDown },
  ahead: { messages: 1_203, more: false },
  validUntil: now + 43 * hourMs,
  events: [
    { kind: "accepted", at: ago(5 * minuteMs), key: "core-banking" },
    {
      kind: "next",
      at: now,
      reason: { kind: "told", reason: routesDown },
      ahead: { messages: 1_203, more: false },
      waitedMs: 5 * minuteMs,
    },
  ],
  route: "operator-b",
  carrierIds: [],
  masked: true,
  text: "رمز یک‌بارمصرف شما: ••••••",
  mayCancel: true,
  mayResend: false,
};

export const sendView: SendView = {
  fields: {
    from: "acc_1/300012345",
    recipients: "09123456789\n+98 935 111 2233\n۰۹۱۹۸۷۶۵۴۳۲",
    text: "مشتری گرامی، شعبهٔ مرکزی روز شنبه ۱ آذر از ساعت ۸ تا ۱۳ باز است.",
    when: "",
    reference: "",
    key: "form-1",
  },
  senders: [
    { value: "acc_1/300012345", label: "بانک آینده‌سازان · 300012345" },
    { value: "acc_2/982000", label: "Mehr Clinics · 982000" },
  ],
  count: { characters: 66, encoding: "Persian", parts: 1, left: 4 },
  cost: { recipients: 3, amount: 2_670, currency: "IRR", balanceAfter: 18_427_830 },
  errors: {},
};

export const sendersOfMany = Array.from({ length: 101 }, (_, index) => ({
  value: `acc_1/${30_001_000 + index}`,
  label: `بانک آینده‌سازان · ${30_001_000 + index}`,
}));

export const importPreview: Omit<ImportPreviewView, "choices" | "refused"> = {
  file: "members-1405.csv",
  columns: ["mobile", "firstName", "-"],
  hasHeader: true,
  sample: [
    ["شماره", "First name", "City"],
    ["09123456789", "Sara", "Tehran"],
    ["۰۹۳۵۱۱۱۲۲۳۳", "علی‌رضا", "شیراز"],
    ["0912 34", "نگار", "یزد"],
  ],
  members: 12_400,
  repeated: 17,
  membersMax: null,
  refusedCount: 1,
  action: "/groups/nowruz/import/1",
  check: "/groups/nowruz/preview/1",
  back: "/groups/nowruz",
};

export const patternView: PatternPageView = {
  code: "appointment",
  name: "یادآوری نوبت",
  account: { id: "acc_2", name: "Mehr Clinics" },
  state: "draft",
  text: "{{name}} گرامی، نوبت شما {{day}} ساعت {{hour}} است.",
  parts: 2,
  sender: "982000",
  variables: ["name", "day", "hour"].map((name) => ({ name, maxLength: 30 })),
  latin: { encoding: "Persian", characters: 118, parts: 2 },
  persian: { encoding: "Persian", characters: 118, parts: 2 },
  templateId: null,
  decisions: [],
  sample: {
    to: "09123456789",
    variables: [
      { name: "name", maxLength: 30, value: "نگار راستین", isTooLong: false },
      { name: "day", maxLength: 30, value: "شنبه ۱ آذر", isTooLong: false },
      { name: "hour", maxLength: 30, value: "۱۰:۳۰", isTooLong: false },
    ],
    text: "نگار راستین گرامی، نوبت شما شنبه ۱ آذر ساعت ۱۰:۳۰ است.",
    count: { characters: 55, encoding: "Persian", parts: 1, left: 15 },
    cost: { recipients: 1, amount: 890, currency: "IRR", balanceAfter: 18_429_610 },
  },
};

export const reviewView: ReviewView = {
  fields: { ...sendView.fields, recipients: "+989123456789\n+989351112233" },
  recipients: 1204,
  duplicates: 12,
  refusedCount: 3,
  refused: [
    { position: 17, value: "0912 34", reason: "not_mobile" },
    { position: 204, value: "021 88776655", reason: "not_mobile" },
    { position: 1011, value: "+1 212 555 0100", reason: "country_not_allowed" },
  ],
  count: { characters: 66, encoding: "Persian", parts: 1, left: 4 },
  parts: 1204,
  cost: { recipients: 1204, amount: 1_071_560, currency: "IRR", balanceAfter: -287_380 },
  startsAt: null,
  endsAt: now + 4 * minuteMs,
  route: "operator-a",
  sender: "300012345",
  typed: { value: "" },
};

const inboundTexts = [
  "بله، ساعت ۱۰ می‌آیم.",
  "لغو۱۱",
  "Please call me back about the invoice, I have been waiting since Thursday and nobody has answered the phone. ".repeat(
    3,
  ),
  "STOP",
  "کد پیگیری 4471-22",
];

export function inboundView(words: { any: string }): InboundView {
  const any = { value: "", label: words.any };
  return {
    query: "",
    filters: [
      { name: "line", value: "", options: [any, { value: "30001234", label: "30001234" }] },
      { name: "mark", value: "", options: [any] },
      { name: "range", value: "", options: [any] },
      { name: "account", value: "", options: [any, { value: "acc_1", label: "بانک آینده‌سازان" }] },
    ],
    chips: [],
    rows: Array.from({ length: 12 }, (_, index) => ({
      code: `01KAK7N${String(1_000_000 + index * 7919).slice(0, 7)}XQ2ZT4WVB0`,
      at: ago((index * 471 + 9) * secondMs),
      from: `+98912${String(3_450_000 + index * 38_717).slice(0, 7)}`,
      to: index % 5 === 3 ? "50004001" : "30001234",
      text: inboundTexts[index % inboundTexts.length] ?? "",
      account: index % 5 === 3 ? null : (accounts[index % accounts.length] ?? null),
      marks: index % 5 === 3 ? ["unmapped"] : index === 7 ? ["incomplete"] : [],
    })),
    pages: { range: "12", newer: null, older: "/inbound?before=4g2" },
    hasPhone: true,
    untouched: false,
  };
}

export const inboundMessageView: InboundMessageView = {
  code: "01KAK7N1000000XQ2ZT4WVB0AA",
  at: ago(9 * minuteMs),
  from: "+989123450000",
  to: "50004001",
  text: inboundTexts[2] ?? "",
  account: null,
  accountId: null,
  marks: ["unmapped", "incomplete"],
  route: "operator-a",
  partsReceived: 2,
  parts: 3,
  octets: null,
  availableAt: null,
  mayReply: true,
  mayAddLine: true,
};

export const linesView: LinesView = {
  lines: listed<LineItem>([
    { number: "30001234", account: { id: "acc_1", name: "بانک آینده‌سازان" }, since: Date.UTC(2025, 2, 4) },
    { number: "+989120000001", account: { id: "acc_2", name: "Mehr Clinics" }, since: Date.UTC(2026, 9, 2) },
  ]),
  form: { number: "50004001", account: "acc_1", accounts: [{ value: "acc_1", label: "بانک آینده‌سازان" }], errors: {} },
};

/** Of more accounts than a list offers; what was typed names none of them. */
export const linesOfMany: LinesView = {
  ...linesView,
  form: {
    number: "50004001",
    account: "بانک",
    accounts: Array.from({ length: 3_000 }, (_, index) => ({ value: `acc_${index}`, label: "بانک آینده‌سازان" })),
    errors: { account: "حساب «بانک» پیدا نشد. نزدیک به آن: بانک آینده‌سازان (acc_1)." },
  },
};

export const phoneView: PhoneView = {
  fields: { from: "09121234567", to: "30001234", text: "" },
  errors: {},
  received: [
    {
      code: "01KAK7M4WZ9Q2XQ2ZT4WVB0F3R",
      at: ago(20_000),
      to: "+989123456789",
      sender: "300012345",
      text: "رمز شما: 482913",
    },
    { code: "01KAK7M4WZ9Q2XQ2ZT4WVB0F3S", at: ago(90_000), to: "+989351112233", sender: "Mehr", text: "Hello" },
  ],
};

export const overviewView: OverviewView = {
  needs: [
    {
      kind: "callbacksFailing",
      webhook: "4f6c2c9e",
      host: "hooks.mehr-clinics.example",
      since: ago(42 * minuteMs),
      waiting: 318,
    },
    { kind: "keyEnds", name: "core-banking", endsAt: now + 9 * dayMs },
    { kind: "keyOld", name: "otp service (internet bank)", createdAt: ago(512 * dayMs) },
  ],
  messagesThisMonth: 10_482_177,
  partsThisMonth: 19_204_310,
  failedThisMonth: 88_120,
  deliveredRatio: 0.9812,
  balance: { amount: 18_430_500, currency: "IRR", isOwed: false },
  usage: days(30, 350_000),
  latest: rows.slice(0, 5).map((row) => ({
    ...row,
    account: null,
    reason: row.reason?.kind === "told" ? { kind: "inQueue" } : row.reason,
  })),
};

export const accountView: AccountView = {
  id: "acc_1",
  name: "بانک آینده‌سازان",
  note: "قرارداد تا پایان اسفند. فاکتور به نشانی billing@bank.example.",
  state: "active",
  createdAt: Date.UTC(2025, 2, 4),
  messagesThisMonth: 10_482_177,
  partsThisMonth: 19_204_310,
  deliveredRatio: 0.9812,
  billing: "prepaid",
  available: 18_430_500,
  currency: "IRR",
  usage: days(30, 350_000),
  keys: listed<AccountKeyView>([
    {
      id: "key_1",
      name: "core-banking",
      state: "active",
      permissions: null,
      isTest: false,
      allowFrom: [],
      expiresAt: null,
      createdAt: Date.UTC(2025, 2, 4),
    },
    {
      id: "key_2",
      name: "otp service (internet bank)",
      state: "active",
      permissions: ["otp:send", "messages:read"],
      isTest: false,
      allowFrom: [],
      expiresAt: null,
      createdAt: Date.UTC(2026, 0, 12),
    },
    {
      id: "key_3",
      name: "old CRM",
      state: "revoked",
      permissions: ["messages:send"],
      isTest: false,
      allowFrom: [],
      expiresAt: null,
      createdAt: Date.UTC(2025, 2, 4),
    },
    {
      id: "key_4",
      name: "آزمون پیمانکار",
      state: "expired",
      permissions: ["messages:send", "groups:send", "patterns:send", "webhooks:manage"],
      isTest: false,
      allowFrom: [],
      expiresAt: null,
      createdAt: Date.UTC(2026, 9, 2),
    },
  ]),
  senders: listed<AccountSenderView>([
    {
      sender: "300012345",
      state: "active",
      routes: ["operator-a", "operator-b"],
      plan: null,
      messagesThisMonth: 10_104_880,
    },
    { sender: "982000", state: "active", routes: [], plan: null, messagesThisMonth: 377_297 },
    { sender: "50004001", state: "off", routes: ["operator-b"], plan: null, messagesThisMonth: 0 },
  ]),
  settings: {
    defaultSender: "300012345",
    countries: ["IR"],
    timeZone: null,
    quietHours: ["22:00-08:00"],
    quietSingles: false,
    suppression: "bulk",
    retentionDays: null,
    textDays: 30,
  },
  quotas: [{ period: "month", partsMax: 30_000_000, partsUsed: 19_204_310, resetsAt: ago(-9 * dayMs) }],
};

export const accountList: AccountListItem[] = [
  {
    id: "acc_1",
    name: "بانک آینده‌سازان",
    state: "active",
    senders: ["300012345", "982000", "50004001", "30007732", "30007733"],
    messagesThisMonth: 10_482_177,
    deliveredRatio: 0.9812,
  },
  {
    id: "acc_2",
    name: "Mehr Clinics",
    state: "suspended",
    senders: ["30001234"],
    messagesThisMonth: 0,
    deliveredRatio: null,
  },
];

export const balanceView: BalanceView = {
  id: "acc_1",
  name: "بانک آینده‌سازان",
  currency: "IRR",
  billing: "prepaid",
  settled: 18_512_300,
  reserved: 81_800,
  available: 18_430_500,
  lines: [
    {
      at: ago(3 * minuteMs),
      bookedAt: ago(3 * minuteMs),
      number: 2,
      kind: "messages",
      amount: 0,
      reserved: 81_800,
      captured: 44_500,
      released: 890,
      settledAfter: 18_512_300,
      reservedAfter: 81_800,
      note: null,
      actor: null,
    },
    {
      // The clock was ahead.
      at: ago(-dayMs),
      bookedAt: ago(2 * dayMs),
      number: 1,
      kind: "topup",
      amount: 20_000_000,
      reserved: 0,
      captured: 0,
      released: 0,
      settledAfter: 20_000_000,
      reservedAfter: 0,
      note: "فاکتور ۱۴۰۵/۲۱۴",
      actor: "leila",
    },
  ],
  nextCursor: null,
  fields: { amount: "", note: "", reference: "" },
  errors: {},
};

export const routeView: RouteView = {
  name: "operator-b",
  kind: "smpp",
  state: "down",
  drainingSince: null,
  down: { since: ago(13 * minuteMs), reason: bindRefused, waiting: 1203 },
  warnings: [],
  partsPerSecond: 0,
  partsPerSecondMax: 100,
  unanswered: 0,
  window: 20,
  deliveredRatio: 0.951,
  receiptMedianMs: 6200,
  binds: [
    {
      name: "1",
      state: "down",
      stateWord: "refused",
      since: ago(13 * minuteMs),
      lastReason: bindRefused,
    },
    { name: "2", state: "up", stateWord: "bound", since: ago(26 * hourMs), lastReason: null },
  ],
  refusals: [
    { kind: "throttled", code: "ESME_RTHROTTLED", hour: 412, day: 1204, week: 9_120 },
    { kind: "rejected", code: "ESME_RINVSRCADR", hour: 0, day: 31, week: 31 },
    { kind: "receipt", code: "stat:UNDELIV err:001", hour: 2, day: 210, week: 1_804 },
  ],
  unmatched: [
    { providerId: "9A3F02C1", status: "DELIVRD", receivedAt: ago(2 * minuteMs) },
    { providerId: "9A3F02C4", status: "UNDELIV", receivedAt: ago(9 * minuteMs) },
  ],
  isIdFormFixed: true,
  host: "smsc-b.example.net:2775",
  systemId: "sepehr",
  callbacks: null,
  options: '{\n  "host": "smsc-b.example.net",\n  "port": 2775\n}',
};

export const routeItems: RouteListItem[] = [
  {
    name: "operator-a",
    kind: "smpp",
    state: "up",
    isDraining: false,
    host: "smsc-a.example.net:2775",
    partsPerSecond: 84.2,
    partsPerSecondMax: 100,
    waiting: 12,
    warnings: [],
  },
  {
    name: "operator-b",
    kind: "smpp",
    state: "down",
    isDraining: false,
    host: "smsc-b.example.net:2775",
    partsPerSecond: 0,
    partsPerSecondMax: 100,
    waiting: 1203,
    warnings: [],
  },
  {
    name: "panel",
    kind: "http",
    state: "up",
    isDraining: true,
    host: "kavenegar",
    partsPerSecond: 1.4,
    partsPerSecondMax: null,
    waiting: 0,
    warnings: [{ code: "receipts_without_id", messages: 12, rule: "answer", id: { from: "json", at: "data.id" } }],
  },
];

export const webhookItems: WebhookListItem[] = [
  {
    id: "4f6c2c9e-0f0e-4a54-9a50-0d2a3f1c7b11",
    url: "https://hooks.mehr-clinics.example/peyk/v1/messages/status",
    account: "کلینیک‌های زنجیره‌ای مهر",
    state: "failed",
    waiting: 318,
    last: { at: ago(20_000), answer: { kind: "status", status: 503, tookMs: 214 } },
    answeredRatio: 0.412,
    failingSince: ago(42 * minuteMs),
  },
  {
    id: "b2",
    url: "https://api.ayandehsazan.example/sms",
    account: "بانک آینده‌سازان",
    state: "up",
    waiting: 0,
    last: { at: ago(900), answer: { kind: "status", status: 204, tookMs: 84 } },
    answeredRatio: 0.9996,
    failingSince: null,
  },
  {
    id: "c3",
    url: "https://isfahan.example/hooks",
    account: "شهرداری اصفهان",
    state: "up",
    waiting: 2,
    last: { at: ago(5 * hourMs), answer: { kind: "timeout", afterMs: 10_000 } },
    answeredRatio: 0.97,
    failingSince: null,
  },
  {
    id: "d4",
    url: "https://dana.example/cb",
    account: "Dana Insurance",
    state: "off",
    waiting: 0,
    last: null,
    answeredRatio: null,
    failingSince: null,
  },
];

export const deliveriesView: DeliveriesView = {
  webhook: {
    id: "4f6c2c9e-0f0e-4a54-9a50-0d2a3f1c7b11",
    url: "https://hooks.mehr-clinics.example/peyk/v1/messages/status",
    account: null,
    state: "failed",
    waiting: 318,
    last: { at: ago(20_000), answer: { kind: "status", status: 503, tookMs: 214 } },
    answeredRatio: 0.412,
    failingSince: ago(42 * minuteMs),
  },
  events: ["message.status", "inbound.received"],
  switchedOffAt: null,
  nextSecretFrom: ago(-5 * hourMs),
  deliveries: [
    {
      event: "01a1fa60-707e-749d-b535-f01a26142351",
      kind: "message.status",
      subject: "01M7ZX3QW8K2V5",
      step: "delivered",
      state: "waiting",
      dueAt: ago(-2 * minuteMs),
      createdAt: ago(3 * minuteMs),
      attempts: [
        {
          at: ago(3 * minuteMs),
          isAccepted: false,
          answer: { kind: "status", status: 503, tookMs: 214 },
          address: "203.0.113.7",
          said: "<h1>503 Service Unavailable</h1>",
        },
        {
          at: ago(2 * minuteMs),
          isAccepted: false,
          answer: { kind: "timeout", afterMs: 10_000 },
          address: "203.0.113.7",
          said: "",
        },
      ],
    },
    {
      event: "01a1fa60-707e-749d-b535-f01a26142350",
      kind: "inbound.received",
      subject: null,
      step: "",
      state: "delivered",
      dueAt: null,
      createdAt: ago(50 * minuteMs),
      attempts: [
        {
          at: ago(50 * minuteMs),
          isAccepted: true,
          answer: { kind: "status", status: 204, tookMs: 84 },
          address: "203.0.113.7",
          said: "",
        },
      ],
    },
  ],
  olderThan: "01a1fa60-707e-749d-b535-f01a26142350",
};

export const reportsView: ReportsView = {
  preset: "month",
  presets: (["today", "yesterday", "week", "month", "lastMonth"] as const).map((preset) => ({
    preset,
    href: `/reports?range=${preset}`,
  })),
  by: "account",
  dimensions: (["account", "sender", "route", "network", "day"] as const).map((dimension) => ({
    dimension,
    href: `/reports?by=${dimension}`,
  })),
  from: ago(29 * dayMs),
  to: now,
  total: {
    name: "",
    messages: 18_402_114,
    parts: 31_004_882,
    deliveredRatio: 0.9741,
    failed: 301_442,
    medianMs: 3100,
    p95Ms: 41_000,
  },
  messagesBefore: 17_210_030,
  chart: days(30, 610_000),
  rows: [
    {
      name: "بانک آینده‌سازان",
      messages: 10_482_177,
      parts: 19_204_310,
      deliveredRatio: 0.9812,
      failed: 88_120,
      medianMs: 2400,
      p95Ms: 21_000,
    },
    {
      name: "شهرداری اصفهان",
      messages: 4_120_400,
      parts: 7_204_000,
      deliveredRatio: 0.962,
      failed: 120_204,
      medianMs: 4100,
      p95Ms: 62_000,
    },
    {
      name: "Dana Insurance",
      messages: 2_204_112,
      parts: 2_690_118,
      deliveredRatio: 0.9551,
      failed: 71_022,
      medianMs: 3900,
      p95Ms: 190_000,
    },
    {
      name: "فروشگاه اینترنتی کتاب و نوشت‌افزار سپیدار",
      messages: 1_595_424,
      parts: 1_906_453,
      deliveredRatio: 0.9702,
      failed: 22_096,
      medianMs: 2800,
      p95Ms: 33_000,
    },
    { name: "Mehr Clinics", messages: 1, parts: 1, deliveredRatio: null, failed: 0, medianMs: null, p95Ms: null },
  ],
  csv: "/reports.csv?range=month&by=account",
};
