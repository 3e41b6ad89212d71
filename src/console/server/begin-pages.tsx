/** How to begin, for customers. */
import { activeSender, curlExample, keyList } from "../data/keys.ts";
import { BeginPage } from "../pages/begin.tsx";
import { document, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

export interface BeginPagesDeps {
  /** Where customers reach the public API. */
  apiUrl: string;
}

/** Stands where the reader's key belongs: whoever runs the line as it is, is told by the API. */
const keyPlaceholder = "YOUR-KEY";

async function begin({ api, viewer, shell }: PageCall, apiUrl: string): Promise<PageAnswer> {
  if (viewer.accountId === null) return redirect("/");
  const [sender, keys] = await Promise.all([activeSender(api, ""), keyList(api, "")]);
  const view = {
    example: curlExample(apiUrl, keyPlaceholder, sender),
    hasSender: sender !== null,
    hasKey: keys.rows.some(({ state }) => state === "active"),
    referenceUrl: `${apiUrl}/docs`,
  };
  return document(<BeginPage shell={shell("begin")} view={view} />);
}

export function beginPages({ apiUrl }: BeginPagesDeps) {
  return [page({ method: "GET", path: "/begin", action: "own.settings", answer: (call) => begin(call, apiUrl) })];
}
