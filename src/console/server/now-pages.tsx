/** The first page, and the menu of a phone. */
import { nowView } from "../data/now.ts";
import { MenuPage } from "../pages/menu.tsx";
import { NowPage } from "../pages/now.tsx";
import type { NowEvents } from "./now-events.tsx";
import { document, page, redirect } from "./page.ts";

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
    // A customer has no such page: its first one is Overview.
    answer: async (call) =>
      call.viewer.role === "customer"
        ? redirect("/messages")
        : document(<NowPage shell={call.shell("now")} view={await nowView(call)} />),
  }),
  page({
    method: "GET",
    path: "/menu",
    action: "own.settings",
    answer: ({ shell, viewer }) =>
      document(<MenuPage shell={shell(viewer.role === "customer" ? "overview" : "now")} />),
  }),
];
