/** Figures over time: reports for the people who run the service, usage for a customer. */

import { document, download, type PageCall, page } from "../../page/page.ts";
import { ReportsPage } from "./reports.tsx";
import { reportsCsv, reportsView } from "./reports-view.ts";

const shown = (place: "reports" | "usage") => async (call: PageCall) =>
  document(<ReportsPage shell={call.shell(place)} view={await reportsView(call)} />);

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
