/** The first page (Now, or a customer's Overview), and the menu on a phone. */

import { accountIdText } from "../../../domain/id-text.ts";
import type { KeyAnswer } from "../../../operator/answers.ts";
import type { WebhookAnswer } from "../../../operator/webhooks.ts";
import { isoTime } from "../../../platform/clock.ts";
import { PageLayout } from "../../components/layout.tsx";
import { Menu, type Shell } from "../../components/navigation.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { namedAccount } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { document, page } from "../../page/page.ts";
import { activeSender } from "../keys/keys-view.ts";
import { epochOf, epochOrNull } from "../messages/message-state.ts";
import { monthOf, usageChart } from "../reports/reports-view.ts";
import { NowPage } from "./now.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowView } from "./now-view.ts";
import { type OverviewNeed, OverviewPage, type OverviewView } from "./overview.tsx";

export const nowPages = (now: NowEvents) => [
  page({
    method: "GET",
    path: "/now/live",
    action: "status.read",
    answer: ({ viewer }) => ({ kind: "events", events: now.for(viewer) }),
  }),
  page({
    method: "GET",
    path: "/",
    action: "own.settings",
    answer: async (call) => {
      const { viewer, shell, api, locale } = call;
      if (viewer.accountId === null) return document(<NowPage shell={shell("now")} view={await nowView(call)} />);
      const view = await overviewView(api, locale, viewer.accountId);
      return document(<OverviewPage shell={shell("overview")} view={view} />);
    },
  }),
  page({
    method: "GET",
    path: "/menu",
    action: "own.settings",
    answer: ({ shell, viewer }) =>
      document(<MenuPage shell={shell(viewer.role === "customer" ? "overview" : "now")} />),
  }),
];

export function MenuPage({ shell }: { shell: Shell }) {
  const { words } = useLocale();
  return (
    <PageLayout shell={shell} title={words.layout.menu}>
      <div class="menu-page">
        <Menu shell={shell} label={words.layout.menu} />
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
