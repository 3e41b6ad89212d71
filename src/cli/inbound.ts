/** `peyk inbound …`: what phones have sent, with what is odd about it, and a phone to try it out with. */
import { answerOf } from "./client.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { timeText, wholeNumber } from "./values.ts";
import { ask, type CommonOptions, connect, noun, print, verb } from "./verb.ts";

interface InboundView {
  trackingCode: string;
  account: string | null;
  sender: string;
  receiver: string;
  message: string;
  route: string | null;
  partCount: number;
  partsReceived: number;
  unmapped: boolean;
  incomplete: boolean;
  binary: boolean;
  octets: string | null;
  receivedAt: string;
  availableAt: string | null;
}

export function inboundCommand(io: CliIo) {
  return noun("inbound", "messages that phones have sent")
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(simulate(io));
}

function list(io: CliIo) {
  const words = {
    does: "list received messages, the newest first; all that is given must match",
    examples: [
      "peyk inbound list --unmapped            (their numbers have no line: peyk line add --help)",
      "peyk inbound list --account acc_1 --from 2026-11-01 --limit 200",
    ],
  };
  return verb("list", words)
    .option("--account <id>", "account id")
    .option("--sender <number>", "the number or name that they came from")
    .option("--receiver <number>", "the number that they were sent to")
    .option("--unmapped", "only those that belong to no account yet")
    .option("--incomplete", "only those of which parts never came")
    .option("--binary", "only those that hold something else than text")
    .option("--from <date>", "received at or after this date or time")
    .option("--to <date>", "received before this date or time")
    .option("--limit <n>", "at most so many, 1 to 10000", "50")
    .action(async (options) => print(io, options, await searchAll(io, options), inboundTable));
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

/** The appliance answers piecemeal, so as to serve others in between. */
async function searchAll(io: CliIo, options: SearchOptions): Promise<InboundView[]> {
  const api = connect(io, options);
  const limit = wholeNumber("--limit", options.limit, 1, 10_000);
  const query = queryOf(options);
  const found: InboundView[] = [];
  for (let place: { cursor?: string } = {}; ; ) {
    const rest = { limit: Math.min(limit - found.length, 500) };
    const page = await answerOf(api.inbound.get({ query: { ...query, ...place, ...rest } }));
    found.push(...page.messages);
    if (page.nextCursor === null || found.length >= limit) return found;
    place = { cursor: page.nextCursor };
  }
}

function queryOf({ account, sender, receiver, unmapped, incomplete, binary, from, to }: SearchOptions) {
  return {
    ...(account !== undefined && { account }),
    ...(sender !== undefined && { sender }),
    ...(receiver !== undefined && { receiver }),
    ...(unmapped && { unmapped }),
    ...(incomplete && { incomplete }),
    ...(binary && { binary }),
    ...(from !== undefined && { from: timeText("--from", from) }),
    ...(to !== undefined && { to: timeText("--to", to) }),
  };
}

function inboundTable(messages: readonly InboundView[]): string {
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
function marksOf({ unmapped, incomplete, binary, partsReceived, partCount }: InboundView): string {
  const marks = [
    ...(unmapped ? ["unmapped"] : []),
    ...(incomplete ? [`${partsReceived} of ${partCount} parts`] : []),
    ...(binary ? ["binary"] : []),
  ];
  return orDash(marks.join(", "));
}

const shownLength = 40;

/** The beginning of a text that a stranger wrote: nothing in it may move the terminal's cursor. */
function oneLine(text: string): string {
  const characters = [...printable(text).replace(/\s+/g, " ")];
  return characters.length > shownLength ? `${characters.slice(0, shownLength - 1).join("")}…` : characters.join("");
}

const printable = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");

function show(io: CliIo) {
  const words = { does: "show a received message whole", examples: ["peyk inbound show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"] };
  return verb("show", words)
    .argument("<code>", "its tracking code")
    .action((code, options) =>
      ask(io, options, (api) => api.inbound({ trackingCode: encodeURIComponent(code) }).get(), inboundText),
    );
}

function inboundText(message: InboundView): string {
  return formatFields([
    ["Tracking code", message.trackingCode],
    ["Account", orDash(message.account)],
    ["Sender", message.sender],
    ["Receiver", message.receiver],
    ["Text", printable(message.message)],
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
    does: "let the simulator's phone write to a number, as if a carrier had brought it",
    examples: ['peyk inbound simulate --from 09121234567 --to 30001234 --message "بله"'],
  };
  return verb("simulate", words)
    .requiredOption("--from <number>", "the phone's number, or a name")
    .requiredOption("--to <number>", "the number that it writes to")
    .requiredOption("--message <text>", "the text; a long one comes in parts")
    .option("--route <name>", "which simulator route brings it; without it, the first one")
    .action(({ from, to, message, route, ...options }) => {
      const wish = { from, to, message, ...(route !== undefined && { route }) };
      return ask(io, options, (api) => api.inbound.simulate.post(wish), inboundText);
    });
}
