/** Alerts, for operators. */
import { AlertsPage, TestedNotice } from "../pages/alerts.tsx";
import { document, page, redirect } from "./page.ts";

export const alertsPages = [
  page({
    method: "GET",
    path: "/alerts",
    action: "system.read",
    answer: async ({ api, shell }) => document(<AlertsPage shell={shell("system")} view={await api("GET /alerts")} />),
  }),
  page({
    method: "POST",
    path: "/alerts/test",
    action: "system.run",
    answer: async ({ api }) => {
      const { results } = await api("POST /alerts/test");
      return redirect("/alerts", <TestedNotice results={results} />);
    },
  }),
];
