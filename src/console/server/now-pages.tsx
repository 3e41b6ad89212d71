/** The first page, Now or a customer's Overview, and the menu of a phone. */
import { nowView } from "../data/now.ts";
import { overviewView } from "../data/overview.ts";
import { MenuPage } from "../pages/menu.tsx";
import { NowPage } from "../pages/now.tsx";
import { OverviewPage } from "../pages/overview.tsx";
import type { NowEvents } from "./now-events.tsx";
import { document, page } from "./page.ts";

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
