/** `peyk message search`, and the options that choose messages. */
import { messageErrorCodes, publicStatuses } from "../domain/message.ts";
import type { MessageSummaryAnswer } from "../operator/messages.ts";
import type { CliIo } from "./io.ts";
import { searchPages } from "./search.ts";
import { formatTable, orDash, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { oneWordOf, wholeNumber } from "./values.ts";
import { type CommonOptions, connect, print, type VerbWords, verb } from "./verb.ts";

export const statusOption = ["--status <status>", publicStatuses.join(", ")] as const;

export function searchCommand(io: CliIo) {
  const words = {
    does: "search messages, newest first; every given option must match",
    examples: [
      "peyk message search --recipient 09121234567 --from 2026-11-01",
      "peyk message search --account acc_1 --status failed --limit 20",
      "peyk message search --before 01KAGN0Q6YV5T0WJ7V8K3H4R2B    (the page after this message)",
    ],
  };
  return searchVerb("search", words)
    .option(...statusOption)
    .option("--before <code>", "only messages older than this one, for the next page")
    .option("--limit <n>", "at most this many, 1 to 10000", "50")
    .action(async (options) => print(io, options, await findMessages(io, options), searchText));
}

/** A command with the options that choose messages. */
export function searchVerb<Usage extends string>(usage: Usage, words: VerbWords) {
  return verb(usage, words)
    .option("--account <id>", "account id")
    .option("--campaign <id>", "of this campaign, such as camp_7")
    .option("--sender <sender>", "sender")
    .option("--recipient <number>", "recipient in any common spelling, or at least its last four digits")
    .option("--reference <text>", "the customer's own reference, in full")
    .option("--route <name>", "the route that it was last on")
    .option("--error <code>", `why it failed: ${messageErrorCodes.join(", ")}`)
    .option("--from <date>", `accepted at or after this ${timeHelp}`)
    .option("--to <date>", "accepted before this time");
}

/** The filter: every given option must match. */
export interface FilterOptions extends CommonOptions {
  account?: string;
  campaign?: string;
  sender?: string;
  recipient?: string;
  reference?: string;
  status?: string;
  route?: string;
  error?: string;
  from?: string;
  to?: string;
  before?: string;
}

export interface SearchOptions extends FilterOptions {
  limit: string;
}

/** Newest first. */
export async function findMessages(io: CliIo, options: SearchOptions): Promise<MessageSummaryAnswer[]> {
  const limit = wholeNumber("--limit", options.limit, 1, 10_000);
  return (await Array.fromAsync(messagePages(io, options, limit))).flat();
}

/** The same, page by page. */
export function messagePages(io: CliIo, options: FilterOptions, limit: number) {
  const api = connect(io, options);
  const query = filterQuery(options);
  return searchPages(limit, (page) => api("GET /messages", { ...query, ...page }));
}

export function filterQuery({
  account,
  campaign,
  sender,
  recipient,
  reference,
  status,
  route,
  error,
  from,
  to,
  before,
}: FilterOptions) {
  return {
    account,
    campaign,
    sender,
    recipient,
    reference,
    ...(status !== undefined && { status: oneWordOf("--status", publicStatuses, status) }),
    route,
    ...(error !== undefined && { error: oneWordOf("--error", messageErrorCodes, error) }),
    ...(from !== undefined && { from: timeText("--from", from) }),
    ...(to !== undefined && { to: timeText("--to", to) }),
    // The server prefers a later page's cursor.
    before,
  };
}

function searchText(messages: readonly MessageSummaryAnswer[]): string {
  if (messages.length === 0) return "No message matches.\n";
  const rows = messages.map((message) => [
    message.trackingCode,
    message.account,
    message.sender,
    message.recipient,
    message.status,
    orDash(message.error?.code ?? null),
    shortTime(message.submittedAt),
  ]);
  return formatTable(["TRACKING CODE", "ACCOUNT", "SENDER", "RECIPIENT", "STATUS", "ERROR", "ACCEPTED"], rows);
}
