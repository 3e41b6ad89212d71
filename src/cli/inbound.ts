/** `peyk inbound …`: received messages, and sending some from the simulated phone. */
import type { InboundAnswer } from "../operator/inbound.ts";
import type { CliIo } from "./io.ts";
import { searchAll } from "./search.ts";
import { formatFields, formatTable, orDash, printable, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { wholeNumber } from "./values.ts";
import { ask, type CommonOptions, connect, noun, print, verb } from "./verb.ts";

export function inboundCommand(io: CliIo) {
  return noun("inbound", "messages received from phones")
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(simulate(io));
}

function list(io: CliIo) {
  const words = {
    does: "list received messages, newest first; every given option must match",
    examples: [
      "peyk inbound list --unmapped            (no account has a line for their numbers: peyk line add --help)",
      "peyk inbound list --account acc_1 --from 2026-11-01 --limit 200",
    ],
  };
  return verb("list", words)
    .option("--account <id>", "account id")
    .option("--sender <number>", "the number or name that sent them")
    .option("--receiver <number>", "the number that they were sent to")
    .option("--unmapped", "only those that belong to no account yet")
    .option("--incomplete", "only those with missing parts")
    .option("--binary", "only those that are not text")
    .option("--from <date>", `received at or after this ${timeHelp}`)
    .option("--to <date>", "received before this time")
    .option("--limit <n>", "at most this many, 1 to 10000", "50")
    .action(async (options) => print(io, options, await findInbound(io, options), inboundTable));
}

interface SearchOptions extends CommonOptions {
  account?: string;
  sender?: string;
  receiver?: string;
  unmapped?: true;
  incomplete?: true;
  binary?: true;
  from?: string;
  to?: string;
  limit: string;
}

function findInbound(io: CliIo, options: SearchOptions): Promise<InboundAnswer[]> {
  const api = connect(io, options);
  const query = queryOf(options);
  const limit = wholeNumber("--limit", options.limit, 1, 10_000);
  return searchAll(limit, (page) => api("GET /inbound", { ...query, ...page }));
}

function queryOf({ account, sender, receiver, unmapped, incomplete, binary, from, to }: SearchOptions) {
  return {
    account,
    sender,
    receiver,
    ...(unmapped && { unmapped }),
    ...(incomplete && { incomplete }),
    ...(binary && { binary }),
    ...(from !== undefined && { from: timeText("--from", from) }),
    ...(to !== undefined && { to: timeText("--to", to) }),
  };
}

function inboundTable(messages: readonly InboundAnswer[]): string {
  if (messages.length === 0) return "No received message matches.\n";
  const rows = messages.map((message) => [
    message.trackingCode,
    orDash(message.account),
    message.sender,
    message.receiver,
    shortTime(message.receivedAt),
    marksOf(message),
    oneLine(message.message),
  ]);
  return formatTable(["TRACKING CODE", "ACCOUNT", "SENDER", "RECEIVER", "RECEIVED", "MARKS", "TEXT"], rows);
}

/** `unmapped, 2 of 3 parts, binary`. */
function marksOf({ unmapped, incomplete, binary, partsReceived, partCount }: InboundAnswer): string {
  const marks = [
    ...(unmapped ? ["unmapped"] : []),
    ...(incomplete ? [`${partsReceived} of ${partCount} parts`] : []),
    ...(binary ? ["binary"] : []),
  ];
  return orDash(marks.join(", "));
}

const shownLength = 40;

/** The start of a text, on one line. */
function oneLine(text: string): string {
  const characters = [...printable(text).replace(/\s+/g, " ")];
  return characters.length > shownLength ? `${characters.slice(0, shownLength - 1).join("")}…` : characters.join("");
}

function show(io: CliIo) {
  const words = { does: "show a received message", examples: ["peyk inbound show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"] };
  return verb("show", words)
    .argument("<code>", "its tracking code")
    .action((code, options) =>
      ask(io, options, (api) => api("GET /inbound/:trackingCode", { trackingCode: code }), inboundText),
    );
}

function inboundText(message: InboundAnswer): string {
  return formatFields([
    ["Tracking code", message.trackingCode],
    ["Account", orDash(message.account)],
    ["Sender", message.sender],
    ["Receiver", message.receiver],
    ["Text", message.message],
    ["Octets", orDash(message.octets)],
    ["Parts", `${message.partsReceived} of ${message.partCount}`],
    ["Marks", marksOf(message)],
    ["Route", orDash(message.route)],
    ["Received", shortTime(message.receivedAt)],
    ["Available", shortTime(message.availableAt)],
  ]);
}

function simulate(io: CliIo) {
  const words = {
    does: "send a message from the simulator's phone to a number, as if a carrier had delivered it",
    examples: ['peyk inbound simulate --from 09121234567 --to 30001234 --message "بله"'],
  };
  return verb("simulate", words)
    .requiredOption("--from <number>", "the phone's number, or a name")
    .requiredOption("--to <number>", "the number that it sends to")
    .requiredOption("--message <text>", "the text; a long one is sent in parts")
    .option("--route <name>", "the simulator route that delivers it (default: the first)")
    .action(({ from, to, message, route, ...options }) => {
      const input = { from, to, message, route };
      return ask(io, options, (api) => api("POST /inbound/simulate", input), inboundText);
    });
}
