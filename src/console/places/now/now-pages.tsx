/** The first page (Now, or a customer's Overview), and the menu on a phone. */

import { PageLayout } from "../../components/layout.tsx";
import { Menu, type Shell } from "../../components/navigation.tsx";
import { useLocale } from "../../locale.ts";
import { document, page } from "../../page/page.ts";
import { NowPage } from "./now.tsx";
import type { NowEvents } from "./now-events.tsx";
import { nowView } from "./now-view.ts";
import { OverviewPage } from "./overview.tsx";
import { overviewView } from "./overview-view.ts";

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
