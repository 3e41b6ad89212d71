/**
 * Conditions of accounts and their messages: quotas, balances, a route that delivers less than it used to, an account
 * that suddenly sends much more.
 */
import { accountIdText } from "../domain/id-text.ts";
import type { FiguresRow } from "../reports/protocol.ts";
import { slotMs } from "../store/rollup-counts.ts";
import { condition, fullDayMs, hourMs, minuteMs, type WatchedFacts } from "./condition.ts";

const weekMs = 7 * fullDayMs;
/** How often a week's figures are read again. */
const judgedEveryMs = 10 * minuteMs;

/** After an hour, nearly all receipts have arrived. */
const settledMs = hourMs;
const judgedMs = 2 * hourMs;
const messagesMin = 50;
const weekMessagesMin = 500;
/** A share of what the route delivered in the previous week. */
const shareMin = 0.7;

const jumpMessagesMin = 1_000;
/** A multiple of the account's busiest hour in the previous week. */
const jumpFactor = 5;

const noMetric = { noMetric: "no metric counts by account, or over a week" };
const periods: Readonly<Record<string, string>> = { day: "روز", month: "ماه" };

export const trafficConditions = {
  QuotaNearlyUsed: condition<ReturnType<WatchedFacts["quotas"]>[number]>()({
    severity: "ticket",
    subject: ({ of, period }) => `${of} ${period}`,
    find: ({ quotas }: Pick<WatchedFacts, "quotas">) => quotas(),
    rule: noMetric,
    notIn: { status: "it tells when each one ends", doctor: "it tells what status tells" },
    help: ["prices-and-quotas", "quotas"],
    en: {
      name: "Quota nearly used up",
      says: ({ of, period, partsUsed, partsMax }) =>
        `The quota of ${of} is nearly used up: ${partsUsed} of ${partsMax} parts of its ${period}`,
      todo: ({ of }) => `peyk quota show ${of}`,
    },
    fa: {
      name: "نزدیک شدن پایان سهمیه",
      says: ({ of, period, partsUsed, partsMax }, { name, number }) =>
        `سهمیهٔ ${name(of)} رو به پایان است: ${number(partsUsed)} از ${number(partsMax)} بخشِ این ${periods[period] ?? name(period)}`,
    },
  }),
  BalanceLow: condition<{ account: string; name: string; isEmpty: boolean }>()({
    severity: "ticket",
    subject: ({ account }) => account,
    find: ({ balances }: Pick<WatchedFacts, "balances">) =>
      balances().flatMap(({ account, name, available, spent }) =>
        available > 0 && available >= spent ? [] : [{ account, name, isEmpty: available <= 0 }],
      ),
    rule: noMetric,
    notIn: { status: "it names those whose messages are refused", doctor: "it tells what status tells" },
    help: ["prices-and-quotas", "balance-and-ledger"],
    en: {
      name: "Balance low",
      says: ({ account, name, isEmpty }) =>
        `${name} (${account}) ${isEmpty ? "has nothing left to spend" : "has less left to spend than it spent in a day"}`,
      todo: ({ account }) => `peyk account balance ${account}`,
    },
    fa: {
      name: "کمی موجودی",
      says: ({ account, name, isEmpty }, write) =>
        `${write.name(`${name} (${account})`)} ${isEmpty ? "دیگر موجودی ندارد" : "کمتر از خرج یک روزش موجودی دارد"}`,
    },
  }),
  DeliveryRateFell: condition<{ route: string; share: number; shareBefore: number }>()({
    severity: "ticket",
    limit: { kind: "percent", is: "under", value: shareMin },
    everyMs: judgedEveryMs,
    isOfRoute: true,
    subject: ({ route }) => route,
    find: async ({ now, figures, routeName }: Pick<WatchedFacts, "now" | "figures" | "routeName">) => {
      const to = now - settledMs;
      const recent = await figures({ ...span(to - judgedMs, to), by: ["routeId"], filter: {} });
      const judged = recent.filter(({ routeId, messages }) => routeId !== 0 && messages >= messagesMin);
      if (judged.length === 0) return [];
      const week = await figures({ ...span(to - fullDayMs - weekMs, to - fullDayMs), by: ["routeId"], filter: {} });
      return judged.flatMap((row) => {
        const before = week.find(({ routeId }) => routeId === row.routeId);
        const route = routeName(row.routeId ?? 0);
        if (route === null || before === undefined || before.messages < weekMessagesMin) return [];
        const [share, shareBefore] = [deliveredShare(row), deliveredShare(before)];
        return share >= shareBefore * shareMin ? [] : [{ route, share, shareBefore }];
      });
    },
    rule: noMetric,
    help: ["troubleshooting", "messages-fail"],
    en: {
      name: "Route delivers less than before",
      says: ({ route, share, shareBefore }, { percent }) =>
        `Route ${route} delivers ${percent(share)} of its messages, ${percent(shareBefore)} in the week before`,
      todo: ({ route }) => `peyk message search --status failed --route ${route}`,
    },
    fa: {
      name: "افت تحویل در مسیر",
      says: ({ route, share, shareBefore }, { name, percent }) =>
        `مسیر ${name(route)} ${percent(share)} از پیام‌هایش را می‌رساند؛ هفتهٔ پیش از آن ${percent(shareBefore)}`,
    },
  }),
  /** `messages` in one hour; `highest`: the busiest hour of the previous week. */
  TrafficJumped: condition<{ account: string; name: string | null; messages: number; highest: number }>()({
    severity: "page",
    limit: { kind: "number", is: "over", value: jumpMessagesMin },
    everyMs: judgedEveryMs,
    subject: ({ account }) => account,
    find: async ({ now, figures, accountName }: Pick<WatchedFacts, "now" | "figures" | "accountName">) => {
      const recent = await figures({ ...span(now - hourMs, now), by: ["accountId"], filter: {} });
      const found = recent
        .filter(({ messages }) => messages >= jumpMessagesMin)
        .map(async ({ accountId = 0, messages }) => {
          const week = span(now - hourMs - weekMs, now - hourMs);
          const hours = await figures({ ...week, period: "hour", by: [], filter: { accountId } });
          const highest = hours.reduce((most, hour) => Math.max(most, hour.messages), 0);
          if (messages <= highest * jumpFactor) return [];
          return [{ account: accountIdText(accountId), name: accountName(accountId), messages, highest }];
        });
      return (await Promise.all(found)).flat();
    },
    rule: noMetric,
    help: ["repair", "cancel-what-waits"],
    en: {
      name: "Account sends far more than before",
      says: ({ account, name, messages, highest }) =>
        `Account ${account} (${name}) sent ${messages} messages in an hour; the highest hour of the week before had ${highest}`,
      todo: ({ account }) =>
        `peyk message search --account ${account}; if it is not its own: peyk account suspend ${account}`,
    },
    fa: {
      name: "جهش ارسال یک حساب",
      says: ({ account, name, messages, highest }, write) =>
        `حساب ${write.name(`${account} (${name})`)} در یک ساعت ${write.number(messages)} پیام فرستاد؛ پرکارترین ساعتِ هفتهٔ پیش از آن ${write.number(highest)} پیام داشت`,
      todo: ({ account }, { name }) =>
        `${name(`peyk message search --account ${account}`)}؛ اگر کار خودش نیست: ${name(`peyk account suspend ${account}`)}`,
    },
  }),
};

const deliveredShare = ({ statuses, messages }: FiguresRow) => (statuses.delivered ?? 0) / messages;

/** Whole quarters of an hour, by time of acceptance. */
function span(from: number, to: number) {
  const whole = (at: number) => at - (at % slotMs);
  return { from: whole(from), to: whole(to), period: "all", timeZone: "UTC", calendar: "gregory" } as const;
}
