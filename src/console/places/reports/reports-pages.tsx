/** Figures over time: reports for the people who run the service, usage for a customer. */

import { download, formAgain, type PageCall, redirect } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { CodesPage } from "./codes.tsx";
import { ReportsPage } from "./reports.tsx";
import { askedReports } from "./reports-form.ts";
import { reportsCsv, reportsView } from "./reports-view.ts";

async function reports(call: PageCall, path: string) {
  if (!call.query.has("since")) return <ReportsPage {...(await reportsView(call))} />;
  const asked = await askedReports(call, path);
  if ("href" in asked) return redirect(asked.href);
  const view = await reportsView({ ...call, query: new URLSearchParams({ by: call.query.get("by") ?? "" }) });
  return formAgain(<ReportsPage {...view} form={{ ...asked, accounts: view.form.accounts }} />);
}

async function csv(call: PageCall) {
  const { fileName, content } = await reportsCsv(call);
  return download(fileName, "text/csv; charset=utf-8", content);
}

function pagesAt(place: "reports" | "usage") {
  const read = `${place}.read` as const;
  const { shown } = usualPages(place, { read, change: read });
  return [shown(`/${place}`, (call) => reports(call, `/${place}`)), shown(`/${place}.csv`, csv)];
}

const { shown } = usualPages("reports", { read: "reports.read", change: "reports.read" });

export const reportsPages = [
  ...pagesAt("reports"),
  ...pagesAt("usage"),
  shown("/reports/codes", async ({ api }) => <CodesPage rows={await api("GET /otp/steps/figures")} />),
];
