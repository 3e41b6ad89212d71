/** The first page (Now, or a customer's Overview), and the menu on a phone. */

import { accountIdText } from "../../../domain/id-text.ts";
import type { KeyAnswer } from "../../../operator/answers.ts";
import type { WebhookAnswer } from "../../../operator/webhooks.ts";
import { isoTime } from "../../../platform/clock.ts";
import { PageLayout } from "../../components/layout.tsx";
import { Menu, useShell } from "../../components/navigation.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { activeSender } from "../keys/keys-view.ts";
import { epochOf, epochOrNull } from "../messages/message-state.ts";
import { monthOf, usageChart } from "../reports/reports-view.ts";
import { NowPage } from "./now.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowView } from "./now-view.ts";
import { type OverviewNeed, OverviewPage, type OverviewView } from "./overview.tsx";

const { shown } = usualPages(({ accountId }) => (accountId === null ? "now" : "overview"), {
  read: "own.settings",
  change: "own.settings",
});

export const nowPages = (now: NowEvents) => [
  shown("/now/live", ({ viewer }) => ({ kind: "events", events: now.for(viewer) }), "status.read"),
  shown("/", async (call) => {
    const { viewer, api, locale } = call;
    if (viewer.accountId === null) return <NowPage {...(await nowView(call))} />;
    return <OverviewPage {...(await overviewView(api, locale, viewer.accountId))} />;
  }),
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

const latestShown = 5;
/** Per kind; their own pages list all of them. */
const needsShown = 20;

async function overviewView(api: ConsoleApi, locale: Locale, accountId: number): Promise<OverviewView> {
  const { zone } = locale.format;
  const id = accountIdText(accountId);
  const { startsAt, endsAt } = monthOf(locale);
  const ofMonth = { from: isoTime(startsAt), to: isoTime(endsAt), by: "all", timeZone: zone } as const;
  const part = { limit: needsShown };
  const shown = await namedAccount(api, id);
  const [sender, balance, webhooks, keys, usage, [month], { messages }] = await Promise.all([
    activeSender(api, ""),
    api("GET /accounts/:id/balance", { id }),
    api("GET /webhooks", part),
    api("GET /keys", { ...part, due: true }),
    usageChart(api, locale, { knownFrom: epochOf(shown.createdAt) }),
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
