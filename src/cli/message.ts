/** `peyk message …`: what became of a message, and which messages there are. */
import { publicStatuses } from "../domain/message.ts";
import { answerOf } from "./client.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { counted, formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { timeText, wholeNumber } from "./values.ts";
import { ask, connect, noun, print, verb } from "./verb.ts";

export function messageCommand(io: CliIo) {
  return noun("message", "messages of all accounts").addCommand(show(io)).addCommand(search(io));
}

function show(io: CliIo) {
  const words = {
    does: "show a message with everything that happened to it",
    examples: ["peyk message show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"],
  };
  return verb("show", words)
    .argument("<code>", "its tracking code")
    .action((code, options) =>
      ask(io, options, (api) => api.messages({ trackingCode: encodeURIComponent(code) }).get(), messageText),
    );
}

interface MessageSummary {
  trackingCode: string;
  account: string;
  sender: string;
  recipient: string;
  status: string;
  state: string;
  class: string;
  route: string | null;
  clientReference: string | null;
  partCount: number;
  attempts: number;
  error: { code: string; message: string } | null;
  submittedAt: string;
}

interface MessageView extends MessageSummary {
  accountName: string | null;
  message: string | null;
  encoding: string;
  characterCount: number;
  dueAt: string | null;
  sendAt: string | null;
  validUntil: string;
  history: readonly { status: string; note: string; changedAt: string }[];
  parts: readonly { number: number; route: string | null; providerId: string | null; receipt: string | null }[];
  timeline: readonly { at: string; kind: string; route: string | null; detail: string }[];
}

const sizeOf = ({ characterCount, partCount, encoding }: MessageView) =>
  `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`;

function messageText(message: MessageView): string {
  const head = formatFields([
    ["Tracking code", message.trackingCode],
    ["Account", `${message.account} ${message.accountName ?? ""}`],
    ["Sender", message.sender],
    ["Recipient", message.recipient],
    ["Status", message.status === message.state ? message.status : `${message.status} (${message.state})`],
    ["Why", message.error === null ? "-" : `${message.error.code}: ${message.error.message}`],
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
  const history = message.history.map((step) => [shortTime(step.changedAt), step.status, step.note]);
  const parts = message.parts.map((part) => [
    String(part.number),
    orDash(part.route),
    orDash(part.providerId),
    orDash(part.receipt),
  ]);
  const timeline = message.timeline.map((entry) => [
    shortTime(entry.at),
    entry.kind,
    orDash(entry.route),
    entry.detail,
  ]);
  return [
    head,
    formatTable(["HISTORY", "STATUS", "NOTE"], history),
    ...(parts.length === 0 ? [] : [formatTable(["PART", "ROUTE", "PROVIDER'S ID", "RECEIPT"], parts)]),
    ...(timeline.length === 0 ? [] : [formatTable(["TIMELINE", "WHAT", "ROUTE", "DETAIL"], timeline)]),
  ].join("\n");
}

function search(io: CliIo) {
  const words = {
    does: "search messages, the newest first; all that is given must match",
    examples: [
      "peyk message search --recipient 09121234567 --from 2026-11-01",
      "peyk message search --account acc_1 --status failed --limit 20",
      "peyk message search --before 01KAGN0Q6YV5T0WJ7V8K3H4R2B    (the page after this message)",
    ],
  };
  return verb("search", words)
    .option("--account <id>", "account id")
    .option("--sender <sender>", "sender")
    .option("--recipient <number>", "recipient in any common spelling")
    .option("--reference <text>", "the customer's own reference, whole")
    .option("--status <status>", publicStatuses.join(", "))
    .option("--from <date>", "accepted at or after this date or time")
    .option("--to <date>", "accepted before this date or time")
    .option("--before <code>", "only messages older than this one, for the next page")
    .option("--limit <n>", "at most so many, 1 to 10000", "50")
    .action(async (options) => {
      const found = await searchAll(io, options);
      print(io, options, found, searchText);
    });
}

interface SearchOptions {
  socket?: string;
  dataDir?: string;
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

/** The appliance answers piecemeal, so as to serve others in between. */
async function searchAll(io: CliIo, options: SearchOptions): Promise<MessageSummary[]> {
  const api = connect(io, options);
  const limit = wholeNumber("--limit", options.limit, 1, 10_000);
  const query = queryOf(options);
  const found: MessageSummary[] = [];
  let place: { cursor?: string; before?: string } = options.before === undefined ? {} : { before: options.before };
  for (;;) {
    const page = await answerOf(
      api.messages.get({ query: { ...query, ...place, limit: Math.min(limit - found.length, 500) } }),
    );
    found.push(...page.messages);
    if (page.nextCursor === null || found.length >= limit) return found;
    place = { cursor: page.nextCursor };
  }
}

function queryOf({ account, sender, recipient, reference, status, from, to }: SearchOptions) {
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
  };
}

function searchText(messages: readonly MessageSummary[]): string {
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
