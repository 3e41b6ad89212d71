/** `peyk message …`: one message with its timeline, and a search. */

import { publicStatuses } from "../domain/message.ts";
import type { MessageAnswer, MessageSummaryAnswer } from "../operator/messages.ts";
import { answerOf } from "./client.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { searchPages } from "./search.ts";
import { counted, formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { wholeNumber } from "./values.ts";
import { ask, type CommonOptions, connect, noun, print, verb } from "./verb.ts";

export function messageCommand(io: CliIo) {
  return noun("message", "messages of all accounts").addCommand(show(io)).addCommand(search(io));
}

function show(io: CliIo) {
  const words = {
    does: "show a message with its history and timeline",
    examples: ["peyk message show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"],
  };
  return verb("show", words)
    .argument("<code>", "its tracking code")
    .action((code, options) =>
      ask(io, options, (api) => api.messages({ trackingCode: encodeURIComponent(code) }).get(), messageText),
    );
}

const sizeOf = ({ characterCount, partCount, encoding }: MessageAnswer) =>
  `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`;

function messageText(message: MessageAnswer): string {
  return [
    messageFields(message),
    formatTable(["HISTORY", "STATUS", "NOTE"], historyRows(message)),
    ...(message.parts.length === 0
      ? []
      : [formatTable(["PART", "ROUTE", "PROVIDER'S ID", "RECEIPT"], partRows(message))]),
    ...(message.timeline.length === 0
      ? []
      : [formatTable(["TIMELINE", "WHAT", "ROUTE", "DETAIL"], timelineRows(message))]),
  ].join("\n");
}

function messageFields(message: MessageAnswer): string {
  return formatFields([
    ["Tracking code", message.trackingCode],
    ["Account", `${message.account} ${message.accountName ?? ""}`],
    ["Sender", message.sender],
    ["Recipient", message.recipient],
    ["Status", message.status === message.state ? message.status : `${message.status} (${message.state})`],
    ["Why", message.error === null ? "-" : `${message.error.code}: ${message.error.message}`],
    ...(message.waits === null ? [] : [["Waits", message.waits] as const]),
    ...arrivalRows(message),
    ["Text", message.message ?? "(a one-time password is not shown)"],
    ["Size", sizeOf(message)],
    ["Class", message.class],
    ["Route", orDash(message.route)],
    ["Attempts", String(message.attempts)],
    ["Client reference", orDash(message.clientReference)],
    ["Send at", shortTime(message.sendAt)],
    ["Due", shortTime(message.dueAt)],
    ["Valid until", shortTime(message.validUntil)],
  ]);
}

function arrivalRows({ possibleArrivals }: MessageAnswer): [string, string][] {
  if (possibleArrivals === null) return [];
  return [["Delivery", `may have arrived ${possibleArrivals === 1 ? "once" : `${possibleArrivals} times`}`]];
}

const historyRows = ({ history }: MessageAnswer) =>
  history.map(({ changedAt, status, note }) => [shortTime(changedAt), status, note]);

const partRows = ({ parts }: MessageAnswer) =>
  parts.map(({ number, route, providerId, receipt }) => [
    String(number),
    orDash(route),
    orDash(providerId),
    orDash(receipt),
  ]);

const timelineRows = ({ timeline }: MessageAnswer) =>
  timeline.map(({ at, kind, route, detail }) => [shortTime(at), kind, orDash(route), detail]);

function search(io: CliIo) {
  const words = {
    does: "search messages, newest first; every given option must match",
    examples: [
      "peyk message search --recipient 09121234567 --from 2026-11-01",
      "peyk message search --account acc_1 --status failed --limit 20",
      "peyk message search --before 01KAGN0Q6YV5T0WJ7V8K3H4R2B    (the page after this message)",
    ],
  };
  return verb("search", words)
    .option("--account <id>", "account id")
    .option("--sender <sender>", "sender")
    .option("--recipient <number>", "recipient, in any common spelling")
    .option("--reference <text>", "the customer's own reference, in full")
    .option("--status <status>", publicStatuses.join(", "))
    .option("--from <date>", `accepted at or after this ${timeHelp}`)
    .option("--to <date>", "accepted before this time")
    .option("--before <code>", "only messages older than this one, for the next page")
    .option("--limit <n>", "at most this many, 1 to 10000", "50")
    .action(async (options) => print(io, options, await findMessages(io, options), searchText));
}

interface SearchOptions extends CommonOptions {
  account?: string;
  sender?: string;
  recipient?: string;
  reference?: string;
  status?: string;
  from?: string;
  to?: string;
  before?: string;
  limit: string;
}

function findMessages(io: CliIo, options: SearchOptions): Promise<MessageSummaryAnswer[]> {
  const api = connect(io, options);
  const query = queryOf(options);
  const limit = wholeNumber("--limit", options.limit, 1, 10_000);
  return searchPages(limit, (page) => answerOf(api.messages.get({ query: { ...query, ...page } })));
}

function queryOf({ account, sender, recipient, reference, status, from, to, before }: SearchOptions) {
  const wanted = publicStatuses.find((known) => known === status);
  if (status !== undefined && wanted === undefined) {
    throw new UsageError(`--status must be one of ${publicStatuses.join(", ")}, not "${status}".`);
  }
  return {
    ...(account !== undefined && { account }),
    ...(sender !== undefined && { sender }),
    ...(recipient !== undefined && { recipient }),
    ...(reference !== undefined && { reference }),
    ...(wanted !== undefined && { status: wanted }),
    ...(from !== undefined && { from: timeText("--from", from) }),
    ...(to !== undefined && { to: timeText("--to", to) }),
    // The server prefers the cursor of a later page.
    ...(before !== undefined && { before }),
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
