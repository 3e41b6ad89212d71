/** Data for a customer's first page. */

import { accountIdText } from "../../../domain/id-text.ts";
import type { KeyAnswer } from "../../../operator/answers.ts";
import type { WebhookAnswer } from "../../../operator/webhooks.ts";
import { isoTime } from "../../../platform/clock.ts";
import type { Locale } from "../../locale.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { activeSender } from "../keys/keys-view.ts";
import { epochOf, epochOrNull } from "../messages/message-state.ts";
import { monthOf, usageChart } from "../reports/reports-view.ts";
import type { OverviewNeed, OverviewView } from "./overview.tsx";

const latestShown = 5;
/** Per kind; their own pages list all of them. */
const needsShown = 20;

export async function overviewView(api: ConsoleApi, locale: Locale, accountId: number): Promise<OverviewView> {
  const { zone } = locale.format;
  const id = accountIdText(accountId);
  const { startsAt, endsAt } = monthOf(locale);
  const ofMonth = { from: isoTime(startsAt), to: isoTime(endsAt), by: "all", timeZone: zone } as const;
  const part = { limit: needsShown };
  const [shown, sender, balance, webhooks, keys, usage, [month], { messages }] = await Promise.all([
    api("GET /accounts/:id", { id, listed: false }),
    activeSender(api, ""),
    api("GET /accounts/:id/balance", { id }),
    api("GET /webhooks", part),
    api("GET /keys", { ...part, due: true }),
    usageChart(api, locale),
    api("GET /figures", ofMonth),
    api("GET /messages", { limit: latestShown }),
  ]);
  return {
    needs: [
      ...(shown.status === "suspended" ? [{ kind: "suspended" as const }] : []),
      ...(sender === null ? [{ kind: "noSender" as const }] : []),
      ...(balance.billing === "prepaid" && balance.available <= 0 ? [{ kind: "balance" as const }] : []),
      ...webhooks.rows.flatMap(webhookNeed),
      ...keys.rows.map(keyNeed),
    ],
    month,
    balance,
    usage,
    latest: messages,
  };
}

function webhookNeed({ id, url, isActive, failingSince, waiting }: WebhookAnswer): OverviewNeed[] {
  if (!isActive || failingSince === null) return [];
  const host = URL.parse(url)?.host ?? url;
  return [{ kind: "callbacksFailing", webhook: id, host, since: epochOf(failingSince), waiting }];
}

function keyNeed({ name, createdAt, expiresAt }: KeyAnswer): OverviewNeed {
  const endsAt = epochOrNull(expiresAt);
  if (endsAt !== null) return { kind: "keyEnds", name, endsAt };
  return { kind: "keyOld", name, createdAt: epochOf(createdAt) };
}
