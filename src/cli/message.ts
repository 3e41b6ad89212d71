/** `peyk message …`: one message with its timeline; searching, exporting, sending, resending, cancelling. */

import { counted } from "../domain/counted.ts";
import { messageErrorCodes, messageLimits, publicStatuses } from "../domain/message.ts";
import { amountInCurrency } from "../domain/money-text.ts";
import { sendWindowText } from "../domain/send-window.ts";
import { ofAccount } from "../fields/account.ts";
import { fileEntries, typedEntries } from "../messaging/messages/recipient-file.ts";
import type { ResendResult } from "../messaging/messages/resend.ts";
import type { InputFor, OperatorClient } from "../operator/client.ts";
import type { MessageAnswer, MessageSummaryAnswer } from "../operator/messages.ts";
import type { SendPreviewAnswer, SentAnswer } from "../operator/sending.ts";
import { streamed } from "./client.ts";
import { calls, flag, must, noun, preset, several, time, typed, whole, wordOf } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { remarkTable } from "./explain.ts";
import { writeArray, writeStream } from "./export-output.ts";
import { saidFields, withFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { searchPages } from "./search.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { connect, socketOf, verb } from "./verb.ts";

function previewText(preview: SendPreviewAnswer): string {
  const { recipients, repeats, refusedCount, refused, partCount, characterCount, encoding } = preview;
  const fields = formatFields([
    ["Messages", String(recipients.length)],
    ["Written twice", String(repeats)],
    ["Refused", String(refusedCount)],
    ["Parts in all", String(recipients.length * partCount)],
    ["Size of each", `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`],
    ["Sender", preview.sender],
    ["Routes", orDash(preview.routes.join(", "))],
    ["Send at", shortTime(preview.sendAt)],
    ...(preview.price === null ? [] : [["Price", amountInCurrency(preview.price, preview.currency)] as const]),
    ...(preview.available === null
      ? []
      : [["Left to spend", amountInCurrency(preview.available, preview.currency)] as const]),
  ]);
  const lines = refused.map(({ position, value, problem }) => `Entry ${position}, ${value}: ${problemWords[problem]}`);
  return fields + joinLines(lines);
}

const problemWords = {
  not_mobile: "no mobile number",
  country_not_allowed: "of a country that the account may not send to",
} as const satisfies Record<SendPreviewAnswer["refused"][number]["problem"], string>;

function sentText({ messages, firstTrackingCode, duplicate }: SentAnswer): string {
  const code = `${messages === 1 ? "Its code" : "The code of the first"}: ${firstTrackingCode}`;
  const done = duplicate ? "sent before under this key; nothing was sent anew" : "accepted";
  return joinLines([`${counted(messages, "message")} ${done}. ${code}`]);
}

async function recipientsOf(io: CliIo, typedOnes: readonly string[], file: string | undefined): Promise<string[]> {
  const entries = typedOnes.flatMap((text) => typedEntries(text));
  if (file !== undefined) for await (const entry of fileEntries(await readTextOrInput(io, file))) entries.push(entry);
  if (entries.length > 0) return entries;
  throw new UsageError("Say to whom: --recipient NUMBER, or --file PATH with numbers in it.");
}

export const sendVerb = calls({
  does: "send a text to one number or many, in the name of an account",
  examples: [
    'peyk message send --account acc_1 --sender 30001234 --recipient 09121234567 --message "سلام"',
    'peyk message send --account acc_1 --sender 30001234 --file numbers.csv --message "Open on Saturday" --dry-run',
  ],
  options: {
    account: ofAccount,
    message: must(typed("message <text>", `the text, 1 to ${messageLimits.textMax} characters`)),
    sender: typed("sender <sender>", "one of its senders (default: its default one)"),
    recipient: several("recipient <number>", "a number in any common spelling; may be repeated"),
    file: typed("file <path>", "a file with one number a line, or CSV with a column of them; - reads it from stdin"),
    clientReference: typed("reference <text>", "a reference of your own"),
    sendAt: time("send-at <time>", `later, ${sendWindowText} ahead: date`),
    key: typed("key <key>", "an idempotency key: a repeat under the same one sends nothing anew"),
    dryRun: flag("dry-run", "say what would be sent, and send nothing"),
  },
  call: async (api, { recipient = [], file, key = crypto.randomUUID(), dryRun, ...given }, io) => {
    const body = { ...given, recipients: await recipientsOf(io, recipient, file) };
    if (dryRun === true) return api("POST /messages/preview", body);
    return api("POST /messages", { ...body, idempotencyKey: key });
  },
  text: (answer) => ("duplicate" in answer ? sentText(answer) : previewText(answer)),
});

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

const sizeOf = ({ characterCount, partCount, encoding }: MessageAnswer) =>
  `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`;

const historyTable = tableOf<MessageAnswer["history"][number]>("", {
  HISTORY: ({ changedAt }) => shortTime(changedAt),
  STATUS: "status",
  NOTE: "note",
});

const partTable = tableOf<MessageAnswer["parts"][number]>("", {
  PART: "number",
  ROUTE: ({ route }) => orDash(route),
  "PROVIDER'S ID": ({ providerId }) => orDash(providerId),
  RECEIPT: ({ receipt }) => orDash(receipt),
});

const timelineTable = tableOf<MessageAnswer["timeline"][number]>("", {
  TIMELINE: ({ at }) => shortTime(at),
  WHAT: "kind",
  ROUTE: ({ route }) => orDash(route),
  DETAIL: "detail",
});

const callbackTable = tableOf<MessageAnswer["callbacks"][number]>("", {
  CALLBACK: ({ at }) => shortTime(at),
  OF: "step",
  OUTCOME: "outcome",
  STATUS: "status",
  MS: "durationMs",
  URL: "url",
});

const otpStepTable = tableOf<NonNullable<MessageAnswer["otp"]>["steps"][number]>("", {
  STEP: ({ beganAt, dueAt }) => shortTime(beganAt ?? dueAt),
  BY: ({ by, channel }) => channel ?? by,
  STATUS: ({ status }) => status.replace("_", " "),
  "TRACKING CODE": ({ trackingCode }) => orDash(trackingCode),
});

function otpText({ steps, outcome, endedAt, verifiedAt }: NonNullable<MessageAnswer["otp"]>): string {
  const ended = outcome === null ? [] : [`No step begins any more: ${outcome}, ${shortTime(endedAt)}.`];
  const verified = verifiedAt === null ? [] : [`Verified: ${shortTime(verifiedAt)}.`];
  return otpStepTable(steps) + joinLines([...ended, ...verified]);
}

const messageText = (message: MessageAnswer) =>
  [
    messageFields(message),
    remarkTable(message.remarks),
    historyTable(message.history),
    ...(message.otp === null ? [] : [otpText(message.otp)]),
    ...(message.parts.length === 0 ? [] : [partTable(message.parts)]),
    ...(message.timeline.length === 0 ? [] : [timelineTable(message.timeline)]),
    ...(message.callbacks.length === 0 ? [] : [callbackTable(message.callbacks)]),
  ].join("\n");

function messageFields(message: MessageAnswer): string {
  return formatFields([
    ["Tracking code", message.trackingCode],
    ["Account", `${message.account} ${message.accountName ?? ""}`],
    ["Sender", message.sender],
    ["Recipient", message.recipient],
    ["Status", message.status === message.state ? message.status : `${message.status} (${message.state})`],
    ["Why", message.error === null ? "-" : `${message.error.code}: ${message.error.message}`],
    ...(message.waits === null ? [] : [["Waits", message.waits] as const]),
    ...aheadRows(message),
    ...arrivalRows(message),
    ["Text", message.message ?? "(a one-time password is not shown)"],
    ["Size", sizeOf(message)],
    ...(message.resentOf === null ? [] : [["Sends again", message.resentOf] as const]),
    ["Class", message.class],
    ["Route", orDash(message.route)],
    ["Attempts", String(message.attempts)],
    ["Client reference", orDash(message.clientReference)],
    ["Send at", shortTime(message.sendAt)],
    ["Due", shortTime(message.dueAt)],
    ["Valid until", shortTime(message.validUntil)],
  ]);
}

function aheadRows({ ahead }: MessageAnswer): [string, string][] {
  if (ahead === null) return [];
  const many = counted(ahead.messages, "message");
  return [["Ahead of it", `${ahead.more ? "more than " : ""}${many} of its sender`]];
}

function arrivalRows({ possibleArrivals }: MessageAnswer): [string, string][] {
  if (possibleArrivals === null) return [];
  return [["Delivery", `may have arrived ${possibleArrivals === 1 ? "once" : `${possibleArrivals} times`}`]];
}

/** The outcome for one message; `refused` is null where it succeeded. */
interface ChosenOutcome {
  trackingCode: string;
  refused: { code: string; message: string } | null;
}

const refusalsShown = 20;

/** @throws CommandFailed if a single named message is refused; with many, the refused ones are listed */
function assertDone(code: string | undefined, outcomes: readonly ChosenOutcome[]): void {
  const refused = outcomes[0]?.refused ?? null;
  if (code !== undefined && refused !== null) throw new CommandFailed(refused.code, refused.message);
}

/** `3 messages cancelled.`, and a table of those refused. `one` replaces the count for a single message. */
function outcomesText(outcomes: readonly ChosenOutcome[], done: string, one: string | null = null): string {
  const refused = outcomes.filter((outcome) => outcome.refused !== null);
  const head = one ?? `${counted(outcomes.length - refused.length, "message")} ${done}.`;
  if (refused.length === 0) return joinLines([head]);
  const more = refused.length > refusalsShown ? `, the first ${refusalsShown} of them:` : ":";
  const rows = refused.slice(0, refusalsShown).map((each) => [each.trackingCode, each.refused?.message ?? ""]);
  return `${joinLines([head, `${refused.length} not${more}`])}${formatTable(["TRACKING CODE", "WHY NOT"], rows)}`;
}

/** The size of the largest group. */
const limitMax = 1_000_000;

/** The server's limit for one request. */
const codesPerRequest = 500;

type Chosen = Partial<Record<keyof typeof filterOptions, string>>;

/** @throws UsageError if neither or both ways of choosing are used */
function assertChosen(code: string | undefined, filter: Chosen): void {
  if ((code === undefined) === Object.keys(filter).length > 0) return;
  throw new UsageError("Say a tracking code, or choose messages by options such as --account, --route and --from.");
}

const mayTake = { code: "its tracking code, or choose messages by the options" };

const cancelVerb = calls({
  does: "cancel messages that wait and were not handed to a route yet; their customers are told as of any cancel",
  examples: [
    "peyk message cancel 01KAGN0Q6YV5T0WJ7V8K3H4R2B",
    'peyk message cancel --account acc_1 --sender 30001234 --from "today 09:00" --dry-run',
  ],
  mayTake,
  options: {
    ...filterOptions,
    dryRun: flag("dry-run", "say how many would be cancelled, and cancel nothing"),
    limit: preset(
      whole("limit <n>", `at most this many, the newest first, 1 to ${limitMax}`, 1, limitMax),
      String(limitMax),
    ),
  },
  call: async (api, { code, dryRun = false, limit, ...filter }) => {
    assertChosen(code, filter);
    const outcomes: ChosenOutcome[] = [];
    // Newest first, because the queue is sending the oldest meanwhile.
    const pages =
      code === undefined ? messagePages(api, { ...filter, status: "queued" }, limit) : [[{ trackingCode: code }]];
    for await (const page of pages) {
      const trackingCodes = page.map(({ trackingCode }) => trackingCode);
      outcomes.push(...(await api("POST /messages/cancel", { trackingCodes, dryRun })));
    }
    assertDone(code, outcomes);
    return outcomes;
  },
  text: (all, { dryRun }) => outcomesText(all, dryRun === true ? "would be cancelled" : "cancelled"),
});

const resendVerb = calls({
  does: "send failed messages again, each as a new message; never a one-time password, and each once",
  examples: [
    "peyk message resend 01KAGN0Q6YV5T0WJ7V8K3H4R2B",
    'peyk message resend --route operator-a --error route_unavailable --from "yesterday 16:00" --dry-run',
  ],
  mayTake,
  options: {
    ...filterOptions,
    again: flag("again", "also what was sent again before"),
    dryRun: flag("dry-run", "say what would be sent again, and send nothing"),
    limit: preset(whole("limit <n>", "at most this many, the newest first, 1 to 10000", 1, 10_000), "10000"),
  },
  call: async (api, { code, again = false, dryRun = false, limit, ...filter }) => {
    assertChosen(code, filter);
    const found = code === undefined ? await findMessages(api, { ...filter, status: "failed" }, limit) : [];
    // Oldest first, in the order of acceptance.
    const inOrder = code === undefined ? found.map(({ trackingCode }) => trackingCode).toReversed() : [code];
    const results: ResendResult[] = [];
    for (let from = 0; from < inOrder.length; from += codesPerRequest) {
      const trackingCodes = inOrder.slice(from, from + codesPerRequest);
      results.push(...(await api("POST /messages/resend", { trackingCodes, again, dryRun })));
    }
    assertDone(code, results);
    return results;
  },
  text: (results, { dryRun }) => {
    const single = results.length === 1 ? (results[0]?.resentAs ?? null) : null;
    const one = single === null ? null : `Sent again as ${single}. See: peyk message show ${single}`;
    return outcomesText(results, dryRun === true ? "would be sent again" : "sent again", one);
  },
});

const exportOptions = {
  ...filterOptions,
  status,
  csv: flag("csv", "as CSV (RFC 4180, UTF-8, times in UTC), which is also the default"),
};

function exportMessages(io: CliIo) {
  const words = {
    does: "write all messages that match to standard output, newest first, without their texts",
    examples: [
      "peyk message export --csv --account acc_1 --from 2026-11-01 --to 2026-12-01 > november.csv",
      "peyk message export --csv --route operator-a --error rejected_by_network > refused.csv",
    ],
  };
  return withFields(verb("export", words), exportOptions).action(async (options) => {
    const { csv, ...query } = saidFields(exportOptions, options);
    if (csv === true && options.json === true) throw new UsageError("Say --csv or --json, not both.");
    if (options.json === true)
      return writeArray(io, messagePages(connect(io, options), query, Number.MAX_SAFE_INTEGER));
    await writeStream(io, await streamed(socketOf(io, options), "GET /messages/export", query));
  });
}

export const messageCommand = noun("message", "messages of all accounts", {
  show: calls({
    does: "show a message with its history and timeline",
    examples: ["peyk message show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"],
    of: { code: "its tracking code" },
    call: (api, { code }) => api("GET /messages/:trackingCode", { trackingCode: code }),
    text: messageText,
  }),
  search: searchVerb,
  export: exportMessages,
  resend: resendVerb,
  cancel: cancelVerb,
  send: sendVerb,
});
