/** `peyk inbound …`: received messages, and sending some from the simulated phone. */

import type { InboundAnswer } from "../operator/inbound.ts";
import { calls, flag, must, noun, preset, time, typed, whole } from "./declared.ts";
import { searchAll } from "./search.ts";
import { formatFields, orDash, printable, shortTime, tableOf } from "./text.ts";

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

const inboundTable = tableOf<InboundAnswer>("No received message matches.", {
  "TRACKING CODE": "trackingCode",
  ACCOUNT: "account",
  SENDER: "sender",
  RECEIVER: "receiver",
  RECEIVED: ({ receivedAt }) => shortTime(receivedAt),
  MARKS: marksOf,
  TEXT: ({ message }) => oneLine(message),
});

export const inboundCommand = noun("inbound", "messages received from phones", {
  list: calls({
    does: "list received messages, newest first; every given option must match",
    examples: [
      "peyk inbound list --unmapped            (no account has a line for their numbers: peyk line add --help)",
      "peyk inbound list --account acc_1 --from 2026-11-01 --limit 200",
    ],
    options: {
      account: typed("account <id>", "account id"),
      sender: typed("sender <number>", "the number or name that sent them"),
      receiver: typed("receiver <number>", "the number that they were sent to"),
      unmapped: flag("unmapped", "only those that belong to no account yet"),
      incomplete: flag("incomplete", "only those with missing parts"),
      binary: flag("binary", "only those that are not text"),
      from: time("from <date>", "received at or after this date"),
      to: time("to <date>", "received before this time"),
      limit: preset(whole("limit <n>", "at most this many, 1 to 10000", 1, 10_000), "50"),
    },
    call: (api, { limit, ...query }) => searchAll(limit, (page) => api("GET /inbound", { ...query, ...page })),
    text: inboundTable,
  }),
  show: calls({
    does: "show a received message",
    examples: ["peyk inbound show 01KAGN0Q6YV5T0WJ7V8K3H4R2B"],
    of: { code: "its tracking code" },
    call: (api, { code }) => api("GET /inbound/:trackingCode", { trackingCode: code }),
    text: inboundText,
  }),
  simulate: calls({
    does: "send a message from the simulator's phone to a number, as if a carrier had delivered it",
    examples: ['peyk inbound simulate --from 09121234567 --to 30001234 --message "بله"'],
    options: {
      from: must(typed("from <number>", "the phone's number, or a name")),
      to: must(typed("to <number>", "the number that it sends to")),
      message: must(typed("message <text>", "the text; a long one is sent in parts")),
      route: typed("route <name>", "the simulator route that delivers it (default: the first)"),
    },
    call: (api, given) => api("POST /inbound/simulate", given),
    text: inboundText,
  }),
});
