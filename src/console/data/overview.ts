/** What the first page of a customer shows. */

import { accountIdText } from "../../domain/id-text.ts";
import type { KeyAnswer } from "../../operator/answers.ts";
import type { BalanceAnswer } from "../../operator/balances.ts";
import type { WebhookAnswer } from "../../operator/webhooks.ts";
import { isoTime } from "../../platform/clock.ts";
import type { Locale } from "../locale.ts";
import type { OverviewNeed, OverviewView } from "../pages/overview.tsx";
import { answered, type ConsoleApi } from "./console-api.ts";
import { epochOf, epochOrNull } from "./message-state.ts";
import { rowOf } from "./messages.ts";
import { monthOf, usageChart } from "./reports.ts";

const dayMs = 24 * 3_600_000;
const latestShown = 5;
/** Before its end a key is worth a word. */
const keyEndsMs = 14 * dayMs;
const keyOldMs = 365 * dayMs;

export async function overviewView(api: ConsoleApi, locale: Locale, accountId: number): Promise<OverviewView> {
  const { now, zone } = locale.format;
  const account = api.accounts({ id: accountIdText(accountId) });
  const { startsAt, endsAt } = monthOf(locale);
  const ofMonth = { from: isoTime(startsAt), to: isoTime(endsAt), by: "all", timeZone: zone } as const;
  const [shown, balance, webhooks, usage, [month], { messages }] = await Promise.all([
    answered(account.get()),
    answered(account.balance.get()),
    answered(api.webhooks.get({ query: {} })),
    usageChart(api, locale),
    answered(api.figures.get({ query: ofMonth })),
    answered(api.messages.get({ query: { limit: latestShown } })),
  ]);
  const { delivered = 0, failed = 0 } = month?.statuses ?? {};
  return {
    needs: [
      ...(shown.status === "suspended" ? [{ kind: "suspended" as const }] : []),
      ...(shown.senders.some(({ active }) => active) ? [] : [{ kind: "noSender" as const }]),
      ...(balance.billing === "prepaid" && balance.available <= 0 ? [{ kind: "balance" as const }] : []),
      ...webhooks.flatMap(webhookNeed),
      ...shown.keys.flatMap((key) => keyNeed(key, now)),
    ],
    messagesThisMonth: month?.messages ?? 0,
    partsThisMonth: month?.parts ?? 0,
    failedThisMonth: failed,
    deliveredRatio: delivered + failed === 0 ? null : delivered / (delivered + failed),
    balance: balanceOf(balance),
    usage,
    latest: messages.map((message) => rowOf(message, "customer")),
  };
}

function webhookNeed({ id, url, isActive, failingSince, waiting }: WebhookAnswer): OverviewNeed[] {
  if (!isActive || failingSince === null) return [];
  const host = URL.parse(url)?.host ?? url;
  return [{ kind: "callbacksFailing", webhook: id, host, since: epochOf(failingSince), waiting }];
}

function keyNeed({ name, status, createdAt, expiresAt }: KeyAnswer, now: number): OverviewNeed[] {
  if (status !== "active") return [];
  const endsAt = epochOrNull(expiresAt);
  if (endsAt !== null) return endsAt - now < keyEndsMs ? [{ kind: "keyEnds", name, endsAt }] : [];
  return now - epochOf(createdAt) > keyOldMs ? [{ kind: "keyOld", name, createdAt: epochOf(createdAt) }] : [];
}

function balanceOf({ billing, currency, available, settled }: BalanceAnswer): OverviewView["balance"] {
  if (billing === "free") return null;
  const isOwed = billing === "postpaid";
  return { amount: isOwed ? -settled : available, currency, isOwed };
}
