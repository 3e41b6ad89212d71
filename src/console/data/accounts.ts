/** What the pages of accounts show: the list, one account with its use, its settings, its money. */

import { accountFields } from "../../domain/declared-fields.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { quotaProblems } from "../../domain/quota.ts";
import type { AccountAnswer } from "../../operator/answers.ts";
import type { FiguresAnswer } from "../../operator/figures.ts";
import { isoTime } from "../../platform/clock.ts";
import type { ListPart } from "../components/collection.tsx";
import type { FieldErrors } from "../components/forms.tsx";
import type { Locale } from "../locale.ts";
import type { AccountView } from "../pages/account.tsx";
import type { AccountSettingsFields } from "../pages/account-settings.tsx";
import type { AccountListItem } from "../pages/accounts.tsx";
import type { BalanceView } from "../pages/balance.tsx";
import { problemSentence, refusalSentence, refusedFields } from "../pages/refusal.ts";
import type { AccountSenderView } from "../pages/senders.tsx";
import type { ConsoleApi } from "./console-api.ts";
import { shownTexts, typedValues } from "./declared-form.ts";
import { keyList, typedNumber } from "./keys.ts";
import { type AskedPart, listBeginning, rangeOf, shownPart } from "./list-part.ts";
import { monthOf, usageChart } from "./reports.ts";

const linesShown = 50;

const stateOf = ({ status }: Pick<AccountAnswer, "status">) => status;

export async function accountList(
  api: ConsoleApi,
  asked: AskedPart,
  locale: Locale,
): Promise<ListPart<AccountListItem>> {
  const [part, figures] = await Promise.all([
    api("GET /accounts", rangeOf(asked)),
    monthFigures(api, locale, { by: "account" }),
  ]);
  const used = Map.groupBy(figures, ({ id }) => id);
  return shownPart(part, asked, (account) => ({
    id: account.id,
    name: account.name,
    state: stateOf(account),
    senders: account.senders,
    ...usageOf(used.get(account.id) ?? []),
  }));
}

/** Of the reader's month. */
function monthFigures(
  api: ConsoleApi,
  locale: Locale,
  of: { by: "account" } | { by: "sender"; account: string },
): Promise<FiguresAnswer[]> {
  const { startsAt, endsAt } = monthOf(locale);
  return api("GET /figures", { from: isoTime(startsAt), to: isoTime(endsAt), ...of });
}

/** What all these rows tell together. */
function usageOf(rows: readonly FiguresAnswer[]): Pick<AccountView, "messagesThisMonth" | "deliveredRatio"> {
  const delivered = sumOf(rows, ({ statuses }) => statuses.delivered);
  const ended = delivered + sumOf(rows, ({ statuses }) => statuses.failed);
  return {
    messagesThisMonth: sumOf(rows, ({ messages }) => messages),
    deliveredRatio: ended === 0 ? null : delivered / ended,
  };
}

const sumOf = (rows: readonly FiguresAnswer[], countOf: (row: FiguresAnswer) => number | undefined): number =>
  rows.reduce((sum, row) => sum + (countOf(row) ?? 0), 0);

/** Without its keys and senders, of which it may have thousands. @throws OperatorError `account_not_found` */
export const namedAccount = (api: ConsoleApi, id: string) => api("GET /accounts/:id", { id, listed: false });

export async function accountView(api: ConsoleApi, id: string, locale: Locale): Promise<AccountView> {
  const account = await namedAccount(api, id);
  const bySender = monthFigures(api, locale, { by: "sender", account: account.id });
  const [month, usage, keys, senders, balance, quotas] = await Promise.all([
    bySender,
    usageChart(api, locale, { account: account.id }),
    keyList(api, account.id),
    senderPart(api, account.id, listBeginning, bySender),
    api("GET /accounts/:id/balance", { id }),
    api("GET /quotas/:of", { of: account.id }),
  ]);
  return {
    id: account.id,
    name: account.name,
    state: stateOf(account),
    createdAt: Date.parse(account.createdAt),
    ...usageOf(month),
    partsThisMonth: sumOf(month, ({ parts }) => parts),
    billing: balance.billing,
    available: balance.available,
    currency: balance.currency,
    usage,
    keys,
    senders,
    settings: account,
    quotas: quotas.map(({ period, partsMax, partsUsed, resetsAt }) => ({
      period,
      partsMax,
      partsUsed,
      resetsAt: Date.parse(resetsAt),
    })),
    note: account.note ?? "",
  };
}

export const senderList = (api: ConsoleApi, account: string, asked: AskedPart, locale: Locale) =>
  senderPart(api, account, asked, monthFigures(api, locale, { by: "sender", account }));

/** `figures`: of the account's senders. */
async function senderPart(
  api: ConsoleApi,
  account: string,
  asked: AskedPart,
  figures: Promise<FiguresAnswer[]>,
): Promise<ListPart<AccountSenderView>> {
  const [part, rows] = await Promise.all([api("GET /senders", { ...rangeOf(asked), account }), figures]);
  const sent = new Map(rows.map(({ name, messages }) => [name ?? "", messages]));
  return shownPart(part, asked, ({ sender, active, routes, plan }) => ({
    sender,
    state: active ? "active" : "off",
    routes,
    plan,
    messagesThisMonth: sent.get(sender) ?? 0,
  }));
}

export async function settingsFields(api: ConsoleApi, id: string, locale: Locale): Promise<AccountSettingsFields> {
  const [account, quotas] = await Promise.all([namedAccount(api, id), api("GET /quotas/:of", { of: id })]);
  const quota = (period: "day" | "month") => String(quotas.find((one) => one.period === period)?.partsMax ?? "");
  return { ...shownTexts(accountFields, account, locale), day: quota("day"), month: quota("month") };
}

const limitIn = (text: string): number | null => (text === "" ? null : typedNumber(text));
const quotasIn = ({ day, month }: Pick<AccountSettingsFields, "day" | "month">) => ({
  day: limitIn(day),
  month: limitIn(month),
});

/** An empty field stands for what the settings say. @throws OperatorError */
export async function saveSettings(api: ConsoleApi, id: string, fields: AccountSettingsFields, locale: Locale) {
  await api("PATCH /accounts/:id", { id, ...typedValues(accountFields, fields, locale), quotas: quotasIn(fields) });
}

/** At the fields of the form. @throws what is no refusal of a form */
export function refusedSettings(reason: unknown, fields: AccountSettingsFields, locale: Locale): FieldErrors {
  if (!(reason instanceof OperatorError)) throw reason;
  if (reason.code === "sender_not_found") return { defaultSender: refusalSentence(reason, locale) };
  const { quotas: _, ...errors } = refusedFields(reason, locale);
  return {
    ...errors,
    ...Object.fromEntries(quotaProblems(quotasIn(fields)).map((one) => [one.key, problemSentence(one, locale)])),
  };
}

export async function balanceView(
  api: ConsoleApi,
  id: string,
  cursor: string | null,
): Promise<Omit<BalanceView, "fields" | "errors">> {
  const query = { limit: linesShown, ...(cursor !== null && { cursor }) };
  const [account, balance, ledger] = await Promise.all([
    namedAccount(api, id),
    api("GET /accounts/:id/balance", { id }),
    api("GET /accounts/:id/ledger", { id, ...query }),
  ]);
  return {
    id: account.id,
    name: account.name,
    ...balance,
    lines: ledger.lines.map((line) => ({ ...line, at: Date.parse(line.at), bookedAt: Date.parse(line.bookedAt) })),
    nextCursor: ledger.nextCursor,
  };
}
