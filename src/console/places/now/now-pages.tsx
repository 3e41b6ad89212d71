/** The first page (Now, or a customer's Overview), and the menu on a phone. */

import { accountIdText } from "../../../domain/id-text.ts";
import type { KeyAnswer } from "../../../operator/answers.ts";
import type { BalanceAnswer } from "../../../operator/balances.ts";
import type { WebhookAnswer } from "../../../operator/webhooks.ts";
import { isoTime } from "../../../platform/clock.ts";
import { PageLayout } from "../../components/layout.tsx";
import { Menu, useShell } from "../../components/navigation.tsx";
import { dayStart } from "../../format/calendar.ts";
import { useLocale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { PageCall } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { daysLeftLow } from "../accounts/account-sections.tsx";
import { chargedRecently, daysLeftOf, recentDays } from "../accounts/accounts-view.ts";
import { activeSender } from "../keys/keys-view.ts";
import { epochOf, epochOrNull } from "../messages/message-state.ts";
import { usageChart } from "../reports/reports-view.ts";
import { NowPage } from "./now.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowView } from "./now-view.ts";
import { type OverviewNeed, OverviewPage, type OverviewRest } from "./overview.tsx";
import { rightNow } from "./right-now.tsx";

const { shown, live } = usualPages(({ accountId }) => (accountId === null ? "now" : "overview"), {
  read: "own.settings",
  change: "own.settings",
});

/** Shown at `/`, where a customer reads. */
const [overview, overviewStream] = live("/overview", {
  load: ({ api }) => rightNow(api),
  beside: async (call) => ({ rest: await overviewRest(call) }),
  View: OverviewPage,
  action: "balance.watch",
});

export const nowPages = (now: NowEvents) => [
  shown("/now/live", ({ viewer }) => ({ kind: "events", events: now.for(viewer) }), "status.read"),
  shown("/", async (call) =>
    call.viewer.accountId === null ? (
      <NowPage {...(await nowView({ ...call, charged: (zone, at) => now.charged(zone, at) }))} />
    ) : (
      overview.answer({ ...call, path: "/overview" })
    ),
  ),
  overviewStream,
  shown("/menu", () => <MenuPage />),
];

function MenuPage() {
  const { words } = useLocale();
  const { menu } = words.layout;
  return (
    <PageLayout title={menu}>
      <div class="menu-page">
        <Menu shell={useShell()} label={menu} />
      </div>
    </PageLayout>
  );
}

const dayMs = 86_400_000;

/** Per kind; their own pages list all of them. */
const needsShown = 20;
const connectionsShown = 5;

async function overviewRest({ api, locale, viewer }: PageCall): Promise<OverviewRest> {
  const { zone, now } = locale.format;
  const id = accountIdText(viewer.accountId ?? 0);
  const first = dayStart(now - (recentDays - 1) * dayMs, zone);
  const before = dayStart(now - (2 * recentDays - 1) * dayMs, zone);
  const figures = (from: number, to: number) =>
    api("GET /figures", { from: isoTime(from), to: isoTime(to), by: "all", timeZone: zone });
  const part = { limit: needsShown };
  const shown = await namedAccount(api, id);
  const [sender, balance, webhooks, keys, usage, [recent], [earlier], charged, quotas, credentials, errors] =
    await Promise.all([
      activeSender(api, ""),
      api("GET /accounts/:id/balance", { id }),
      api("GET /webhooks", part),
      api("GET /keys", { ...part, due: true }),
      usageChart(api, locale, { knownFrom: epochOf(shown.createdAt) }),
      figures(first, now + 1),
      figures(before, first),
      chargedRecently(api, shown, now),
      api("GET /quotas/:of", { of: id }),
      api("GET /credentials", {}),
      api("GET /accounts/:id/errors", { id }),
    ]);
  return {
    name: shown.name,
    needs: [
      ...(shown.status === "suspended" ? [{ kind: "suspended" as const }] : []),
      ...(sender === null ? [{ kind: "noSender" as const }] : []),
      ...balanceNeed(balance, daysLeftOf(balance, charged)),
      ...webhooks.rows.flatMap(webhookNeed),
      ...keys.rows.map(keyNeed),
    ],
    recent,
    messagesBefore: earlier?.messages ?? 0,
    charged: charged.price,
    balance,
    usage,
    quotas,
    credentials: credentials.filter(({ status }) => status === "active").slice(0, connectionsShown),
    webhooks: webhooks.rows.slice(0, connectionsShown),
    refused: errors.kinds.map(({ count }) => count),
  };
}

function balanceNeed({ billing, available, currency }: BalanceAnswer, days: number | null): OverviewNeed[] {
  if (billing !== "prepaid") return [];
  if (available <= 0) return [{ kind: "balance" }];
  return days === null || days > daysLeftLow ? [] : [{ kind: "balanceLow", days, left: available, currency }];
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
