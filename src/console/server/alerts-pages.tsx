/** Alerts, for operators. */
import { answered } from "../data/console-api.ts";
import { AlertsPage, TestedNotice } from "../pages/alerts.tsx";
import { document, page, redirect } from "./page.ts";

export const alertsPages = [
  page({
    method: "GET",
    path: "/alerts",
    action: "system.read",
    answer: async ({ api, shell }) =>
      document(<AlertsPage shell={shell("system")} view={await answered(api.alerts.get())} />),
  }),
  page({
    method: "POST",
    path: "/alerts/test",
    action: "system.run",
    answer: async ({ api }) => {
      const { results } = await answered(api.alerts.test.post({}));
      return redirect("/alerts", <TestedNotice results={results} />);
    },
  }),
];
