/** English: messages from phones, the lines that receive them, and the simulated phone. */
import type { Count } from "../../format/format.ts";

const inbound = {
  title: "Inbound",
  lines: "Lines",
  phone: "Simulated phone",
  searchLabel: "Number or code",
  searchHint: "The number that sent it, the line that received it, or a tracking code",
  head: { time: "Time", from: "From", text: "Text", to: "To line", account: "Account" },
  filter: { account: "Account", line: "Line", mark: "Mark", range: "Time" },
  mark: { unmapped: "No account", incomplete: "Parts missing", binary: "Not text" },
  unmapped: "No line gives this number to an account.",
  incomplete: (received: Count, total: Count) => `${received.text} of ${total.text} parts came.`,
  binary: "It holds something other than text.",
  emptyTitle: "No message from a phone yet",
  emptyWords: "What phones send to your lines stands here, and is read by GET /v1/inbound-messages.",
  noneTitle: "No message matches",
  noneWords: "Drop a filter, or look further back.",
  messageTitle: (from: string) => `Message from ${from}`,
  reply: "Reply",
  giveLine: "Give the line to an account",
  fact: {
    code: "Code",
    line: "Line",
    account: "Account",
    parts: "Parts",
    route: "Route",
    received: "Received",
    available: "Given to the account",
  },
  partsOf: (received: string, total: string) => `${received} of ${total}`,
  octets: "As octets",
};

const lines = {
  title: "Lines",
  lead: "A line is a number that phones send to. Each belongs to one account.",
  head: { number: "Number", account: "Account", since: "Since" },
  add: "Add a line",
  number: "Number",
  numberHint: "As the carrier reports it; messages that came before are given to the account, too.",
  account: "Account",
  doAdd: "Add the line",
  added: ({ value, text }: Count) =>
    value === 0
      ? "The line is added."
      : value === 1
        ? "The line is added; one message that had come is given to the account."
        : `The line is added; ${text} messages that had come are given to the account.`,
  remove: "Remove",
  removeAsk: (number: string) => `Remove the line ${number}?`,
  removeGoes: "What phones send to it belongs to no account until a line is added again.",
  removeStays: "What the account has received.",
  removeDo: "Remove the line",
  removeKeep: "Keep it",
  removed: (number: string) => `The line ${number} is removed.`,
  emptyTitle: "No line yet",
  empty: "Without one, messages from phones wait and belong to no account.",
  error: { number: "This is no number.", exists: "This line belongs to an account already." },
};

const phone = {
  title: "Simulated phone",
  lead: "It sends to your lines as if a carrier had delivered it, and receives what simulator routes send. Nothing leaves this machine.",
  send: "Send from the phone",
  from: "The phone's number",
  to: "To line",
  text: "Text",
  doSend: "Send",
  sent: "The text has arrived.",
  inbox: "What simulated phones received",
  inboxEmpty: "Nothing since the start. Only the newest 200 are kept, in memory.",
  head: { time: "Time", to: "To", sender: "Sender", text: "Text" },
  error: {
    to: "This is no number.",
    from: "Give the phone's number.",
    text: "Write a text.",
    noRoute: "There is no enabled simulator route.",
  },
};

export const enInbound = { inbound, lines, phone };
