/** How to begin, for customers. */
import { answered } from "../data/console-api.ts";
import { curlExample, exampleSender } from "../data/keys.ts";
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
  const [senders, keys] = await Promise.all([
    answered(api.senders.get({ query: {} })),
    answered(api.keys.get({ query: {} })),
  ]);
  const view = {
    example: curlExample(apiUrl, keyPlaceholder, exampleSender(senders)),
    hasSender: senders.some(({ active }) => active),
    hasKey: keys.some(({ status }) => status === "active"),
    referenceUrl: `${apiUrl}/docs`,
  };
  return document(<BeginPage shell={shell("begin")} view={view} />);
}

export function beginPages({ apiUrl }: BeginPagesDeps) {
  return [page({ method: "GET", path: "/begin", action: "own.settings", answer: (call) => begin(call, apiUrl) })];
}
