/** `peyk message search`, and the options that choose messages. */

import { messageErrorCodes, publicStatuses } from "../domain/message.ts";
import type { InputFor, OperatorClient } from "../operator/client.ts";
import type { MessageSummaryAnswer } from "../operator/messages.ts";
import { calls, preset, time, typed, whole, wordOf } from "./declared.ts";
import { searchPages } from "./search.ts";
import { shortTime, tableOf } from "./text.ts";

/** The options that choose messages: every given one must match. */
export const filterOptions = {
  account: typed("account <id>", "account id"),
  campaign: typed("campaign <id>", "of this campaign, such as camp_7"),
  sender: typed("sender <sender>", "sender"),
  recipient: typed("recipient <number>", "recipient in any common spelling, or at least its last four digits"),
  reference: typed("reference <text>", "the customer's own reference, in full"),
  route: typed("route <name>", "the route that it was last on"),
  error: wordOf("error <code>", messageErrorCodes, `why it failed: ${messageErrorCodes.join(", ")}`),
  from: time("from <date>", "accepted at or after this date"),
  to: time("to <date>", "accepted before this time"),
};
export const status = wordOf("status <status>", publicStatuses);

/** Newest first, page by page; the server prefers a later page's cursor to `before`. */
export const messagePages = (api: OperatorClient, query: InputFor<"GET /messages">, limit: number) =>
  searchPages(limit, (page) => api("GET /messages", { ...query, ...page }));

/** The same in one. */
export const findMessages = async (api: OperatorClient, query: InputFor<"GET /messages">, limit: number) =>
  (await Array.fromAsync(messagePages(api, query, limit))).flat();

export const searchVerb = calls({
  does: "search messages, newest first; every given option must match",
  examples: [
    "peyk message search --recipient 09121234567 --from 2026-11-01",
    "peyk message search --account acc_1 --status failed --limit 20",
    "peyk message search --before 01KAGN0Q6YV5T0WJ7V8K3H4R2B    (the page after this message)",
  ],
  options: {
    ...filterOptions,
    status,
    before: typed("before <code>", "only messages older than this one, for the next page"),
    limit: preset(whole("limit <n>", "at most this many, 1 to 10000", 1, 10_000), "50"),
  },
  call: (api, { limit, ...query }) => findMessages(api, query, limit),
  text: tableOf<MessageSummaryAnswer>("No message matches.", {
    "TRACKING CODE": "trackingCode",
    ACCOUNT: "account",
    SENDER: "sender",
    RECIPIENT: "recipient",
    STATUS: "status",
    ERROR: ({ error }) => error?.code ?? null,
    ACCEPTED: ({ submittedAt }) => shortTime(submittedAt),
  }),
});
