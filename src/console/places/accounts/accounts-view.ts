/** Data for the account pages: the list, one account with its usage, its settings, its money. */

import { calendarOf, LocalCalendar } from "../../../domain/local-calendar.ts";
import { quotaProblems } from "../../../domain/quota.ts";
import { accountFields } from "../../../fields/account.ts";
import { quotaFields } from "../../../fields/quota.ts";
import type { BalanceAnswer } from "../../../operator/balances.ts";
import type { AnswerOf } from "../../../operator/client.ts";
import type { FiguresAnswer } from "../../../operator/figures.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { ListPart } from "../../components/collection.tsx";
import type { FieldErrors } from "../../components/forms.tsx";
import type { HoursCounted } from "../../components/sparkline.tsx";
import { typedNumberOr } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { postedTexts, shownTexts, typedValues } from "../../page/declared-form.ts";
import { lastHours } from "../../page/last-hours.ts";
import { type AskedPart, listBeginning, rangeOf, shownAs, shownPart } from "../../page/list-part.ts";
import { mergedEdit } from "../../page/merged-edit.ts";
import type { PageCall } from "../../page/page.ts";
import { problemSentence, refusedFields } from "../../page/refusal.ts";
import { keyList } from "../keys/keys-view.ts";
import { deliveredRatio } from "../reports/reports.tsx";
import { monthOf, usageChart } from "../reports/reports-view.ts";
import type { AccountSettingsTexts } from "./account-settings.tsx";
import { routeStates } from "./sender-form-view.ts";
import type { UsedSender } from "./senders.tsx";

type AccountCall = PageCall<{ readonly id: string }>;

const linesShown = 50;
/** On an account's page, which links to all of them. */
const changesShown = 5;
/** Per page. */
const allChangesShown = 50;

export async function changesView(api: ConsoleApi, id: string, cursor: string | null) {
  const part = { limit: allChangesShown, ...(cursor !== null && { cursor }) };
  const [account, { entries, nextCursor }] = await Promise.all([
    namedAccount(api, id),
    api("GET /accounts/:id/changes", { id, ...part }),
  ]);
  const older = nextCursor === null ? null : `/accounts/${account.id}/changes?before=${nextCursor}`;
  return { account, entries, older };
}

export type UsedAccount = AnswerOf<"GET /accounts">["rows"][number] &
  ReturnType<typeof usageOf> & { hours: HoursCounted | undefined };

/** Each with what it has sent. */
export async function accountList(api: ConsoleApi, asked: AskedPart, locale: Locale): Promise<ListPart<UsedAccount>> {
  const [part, figures, hours] = await Promise.all([
    api("GET /accounts", rangeOf(asked)),
    monthFigures(api, locale, { by: "account" }),
    lastHours(api, "account"),
  ]);
  const used = Map.groupBy(figures, ({ id }) => id);
  return shownAs(shownPart(part, asked), (account) => ({
    ...account,
    ...usageOf(used.get(account.id) ?? []),
    hours: hours.get(account.id),
  }));
}

/** Of the current month. */
function monthFigures(
  api: ConsoleApi,
  locale: Locale,
  of: { by: "account" } | { by: "sender"; account: string },
): Promise<FiguresAnswer[]> {
  const { startsAt, endsAt } = monthOf(locale);
  return api("GET /figures", { from: isoTime(startsAt), to: isoTime(endsAt), ...of });
}

/** Totals over all these rows. */
function usageOf(rows: readonly FiguresAnswer[]) {
  return {
    messagesThisMonth: sumOf(rows, ({ messages }) => messages),
    deliveredRatio: deliveredRatio({
      delivered: sumOf(rows, ({ statuses }) => statuses.delivered),
      failed: sumOf(rows, ({ statuses }) => statuses.failed),
    }),
  };
}

const sumOf = (rows: readonly FiguresAnswer[], countOf: (row: FiguresAnswer) => number | undefined): number =>
  rows.reduce((sum, row) => sum + (countOf(row) ?? 0), 0);

export type AccountView = Awaited<ReturnType<typeof accountView>>;

/** Without its keys and senders, which may number thousands. @throws OperatorError `account_not_found` */
export async function accountView(api: ConsoleApi, id: string, locale: Locale) {
  const account = await namedAccount(api, id);
  const bySender = monthFigures(api, locale, { by: "sender", account: account.id });
  const [month, usage, keys, senders, balance, quotas, people, { kinds }, { entries }] = await Promise.all([
    bySender,
    usageChart(api, locale, { account: account.id, knownFrom: Date.parse(account.createdAt) }),
    keyList(api, account.id),
    senderPart(api, account.id, listBeginning, bySender),
    api("GET /accounts/:id/balance", { id }),
    api("GET /quotas/:of", { of: account.id }),
    api("GET /accounts/:id/people", { id: account.id }),
    api("GET /accounts/:id/errors", { id: account.id }),
    api("GET /accounts/:id/changes", { id: account.id, limit: changesShown }),
  ]);
  const partsThisMonth = sumOf(month, ({ parts }) => parts);
  const daysLeft = daysLeftOf(balance, await chargedRecently(api, account, locale.format.now));
  const refused = kinds.reduce((sum, { count }) => sum + count, 0);
  const rest = { usage, keys, senders, balance, daysLeft, quotas, people, refused, changes: entries };
  return { ...account, ...usageOf(month), partsThisMonth, ...rest };
}

const dayMs = 86_400_000;
/** Tiles, charts and the pace of a balance are of so many days, today among them. */
export const recentDays = 30;

/** What it was charged in the last days, which begin as its statements do, and how many of them it existed. */
export async function chargedRecently(
  api: ConsoleApi,
  { id, createdAt }: { id: string; createdAt: string },
  now: number,
) {
  const from = Math.max(now - (recentDays - 1) * dayMs, Date.parse(createdAt));
  const days = (now - from) / dayMs;
  let price = 0;
  for (let month: string | undefined; ; ) {
    const shown = await api("GET /accounts/:id/statement", { id, ...(month !== undefined && { month }) });
    const calendar = new LocalCalendar(shown.timeZone, calendarOf(shown.month));
    const first = calendar.day(from).name;
    for (const row of shown.rows) if (row.of >= first) price += row.price;
    if (Date.parse(shown.from) <= from) return { price, days };
    month = calendar.month(Date.parse(shown.from) - 1).name;
  }
}

/** For how many days a prepaid balance lasts at this pace; null if unknown. */
export function daysLeftOf(
  { billing, available }: Pick<BalanceAnswer, "billing" | "available">,
  { price, days }: { price: number; days: number },
): number | null {
  return billing !== "prepaid" || price <= 0 || days < 1 || available <= 0
    ? null
    : Math.floor(available / (price / days));
}

export const senderList = (api: ConsoleApi, account: string, asked: AskedPart, locale: Locale) =>
  senderPart(api, account, asked, monthFigures(api, locale, { by: "sender", account }));

/** `figures`: those of the account's senders. */
async function senderPart(
  api: ConsoleApi,
  account: string,
  asked: AskedPart,
  figures: Promise<FiguresAnswer[]>,
): Promise<ListPart<UsedSender>> {
  const [part, rows, routeOf] = await Promise.all([
    api("GET /senders", { ...rangeOf(asked), account }),
    figures,
    routeStates(api),
  ]);
  const sent = new Map(rows.map(({ name, messages }) => [name ?? "", messages]));
  return shownAs(shownPart(part, asked), (row) => ({
    ...row,
    routeStates: row.routes.map(routeOf),
    messagesThisMonth: sent.get(row.sender) ?? 0,
  }));
}

/** The settings as they are now. */
export async function settingsTexts({ api, params: { id }, locale }: AccountCall) {
  const [account, quotas] = await Promise.all([namedAccount(api, id), api("GET /quotas/:of", { of: id })]);
  const parts = (period: "day" | "month") => quotas.find((one) => one.period === period)?.partsMax ?? null;
  const limits = { day: parts("day"), month: parts("month") };
  const texts = { ...shownTexts(accountFields, account, locale), ...shownTexts(quotaFields, limits, locale) };
  return { account, texts };
}

/** What was posted, with what others have changed meanwhile. */
export function typedSettings({ form, locale }: PageCall, now: AccountSettingsTexts) {
  const typed = { ...postedTexts(accountFields, form, now), ...postedTexts(quotaFields, form, now) };
  const { fields: texts, errors, isShared } = mergedEdit({ opened: form.raw("opened"), typed, now }, locale.words);
  return { texts, errors, isShared };
}

const quotasIn = ({ day, month }: Pick<AccountSettingsTexts, "day" | "month">) => ({
  day: typedNumberOr(null, day),
  month: typedNumberOr(null, month),
});

/** An empty field means that the settings apply. @throws OperatorError */
export const settingsIn = (texts: AccountSettingsTexts, locale: Locale) => ({
  ...typedValues(accountFields, texts, locale),
  quotas: quotasIn(texts),
});

/** Errors for the form's fields. @throws anything that is not a refusal of the form */
export function refusedSettings(
  reason: unknown,
  { locale }: PageCall,
  { texts }: { texts: AccountSettingsTexts },
): FieldErrors {
  const { quotas: _, ...errors } = refusedFields(reason, locale, { sender_not_found: "defaultSender" });
  return {
    ...errors,
    ...Object.fromEntries(quotaProblems(quotasIn(texts)).map((one) => [one.key, problemSentence(one, locale)])),
  };
}

export async function accountBalance({ api, params: { id }, query }: AccountCall) {
  const cursor = query.get("cursor");
  const part = { limit: linesShown, ...(cursor !== null && { cursor }) };
  const [account, balance, ledger] = await Promise.all([
    namedAccount(api, id),
    api("GET /accounts/:id/balance", { id }),
    api("GET /accounts/:id/ledger", { id, ...part }),
  ]);
  return { account, balance, ledger };
}
