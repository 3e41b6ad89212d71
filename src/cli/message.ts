/** `peyk message …`: one message with its timeline; searching, exporting, sending, resending, cancelling. */
import { counted } from "../domain/counted.ts";
import type { MessageAnswer } from "../operator/messages.ts";
import { cancelCommand } from "./cancel.ts";
import { exportCommand } from "./export.ts";
import type { CliIo } from "./io.ts";
import { searchCommand } from "./message-search.ts";
import { resendCommand } from "./resend.ts";
import { sendCommand } from "./send.ts";
import { formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

export function messageCommand(io: CliIo) {
  return noun("message", "messages of all accounts")
    .addCommand(show(io))
    .addCommand(searchCommand(io))
    .addCommand(exportCommand(io))
    .addCommand(resendCommand(io))
    .addCommand(cancelCommand(io))
    .addCommand(sendCommand(io));
}

function show(io: CliIo) {
  const words = {
    does: "show a message with its history and timeline",
    examples: ["peyk message show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"],
  };
  return verb("show", words)
    .argument("<code>", "its tracking code")
    .action((code, options) =>
      ask(io, options, (api) => api("GET /messages/:trackingCode", { trackingCode: code }), messageText),
    );
}

const sizeOf = ({ characterCount, partCount, encoding }: MessageAnswer) =>
  `${counted(characterCount, "character")}, ${counted(partCount, "part")}, ${encoding}`;

function messageText(message: MessageAnswer): string {
  return [
    messageFields(message),
    formatTable(
      ["RULE", "DECIDED"],
      message.remarks.map(({ rule, words }) => [rule, words]),
    ),
    formatTable(["HISTORY", "STATUS", "NOTE"], historyRows(message)),
    ...(message.parts.length === 0
      ? []
      : [formatTable(["PART", "ROUTE", "PROVIDER'S ID", "RECEIPT"], partRows(message))]),
    ...(message.timeline.length === 0
      ? []
      : [formatTable(["TIMELINE", "WHAT", "ROUTE", "DETAIL"], timelineRows(message))]),
    ...(message.callbacks.length === 0
      ? []
      : [formatTable(["CALLBACK", "OF", "OUTCOME", "STATUS", "MS", "URL"], callbackRows(message))]),
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

const callbackRows = ({ callbacks }: MessageAnswer) =>
  callbacks.map(({ at, step, outcome, status, durationMs, url }) => [
    shortTime(at),
    step,
    outcome,
    orDash(status),
    String(durationMs),
    url,
  ]);
