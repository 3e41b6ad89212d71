/** Figures over time: reports for the people who run the service, usage for a customer. */

import { document, download, formAgain, type PageCall, page, redirect } from "../../page/page.ts";
import { ReportsPage } from "./reports.tsx";
import { askedReports } from "./reports-form.ts";
import { reportsCsv, reportsView } from "./reports-view.ts";

const shown = (place: "reports" | "usage") => async (call: PageCall) => {
  if (!call.query.has("since"))
    return document(<ReportsPage shell={call.shell(place)} view={await reportsView(call)} />);
  const asked = await askedReports(call, `/${place}`);
  if ("href" in asked) return redirect(asked.href);
  const query = new URLSearchParams({ by: call.query.get("by") ?? "" });
  const view = await reportsView({ ...call, query });
  const form = { ...asked, accounts: view.form.accounts };
  return formAgain(<ReportsPage shell={call.shell(place)} view={{ ...view, form }} />);
};

async function csv(call: PageCall) {
  const { fileName, content } = await reportsCsv(call);
  return download(fileName, "text/csv; charset=utf-8", content);
}

export const reportsPages = [
  page({ method: "GET", path: "/reports", action: "reports.read", answer: shown("reports") }),
  page({ method: "GET", path: "/reports.csv", action: "reports.read", answer: csv }),
  page({ method: "GET", path: "/usage", action: "usage.read", answer: shown("usage") }),
  page({ method: "GET", path: "/usage.csv", action: "usage.read", answer: csv }),
];
