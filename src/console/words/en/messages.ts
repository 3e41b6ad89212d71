/** English: the list of messages, one message with its story, and the reasons that both give. */
import type { Count } from "../../format/format.ts";

/** Why a message is where it is. `route` is null for customers, who read "the network". */
const reasons = {
  network: "the network",
  ahead: (count: Count, route: string, duration: string) => `${count.text} ahead on ${route}, about ${duration}.`,
  routeDown: (route: string, clock: string) => `Route ${route} is down since ${clock}.`,
  scheduled: (day: string, clock: string) => `Goes out on ${day} at ${clock}.`,
  busy: (code: string | null, attempt: string, clock: string) =>
    `Carrier busy${code === null ? "" : ` (code ${code})`}; attempt ${attempt} at ${clock}.`,
  noReceipt: (duration: string) => `Handed over ${duration} ago; no receipt yet.`,
  delivered: (duration: string) => `Delivered after ${duration}.`,
  unreachable: "The recipient could not be reached.",
  expired: (hours: Count) => `Its ${hours.text} hours ended before delivery.`,
  refused: (route: string, cause: string, code: string | null) =>
    `${route} refused it: ${cause}${code === null ? "" : ` (code ${code})`}.`,
  unsureResent: (route: string) => `Unsure if ${route} took it; sent again, may arrive twice.`,
  unsure: (route: string) => `Unsure if ${route} took it; it was not sent again.`,
  blocked: "The recipient asked not to receive messages from this sender.",
  cancelled: (by: string) => `Cancelled by ${by}.`,
  handingOver: (route: string) => `Being handed to ${route}.`,
};

const refusals = {
  senderNotAllowed: "sender not allowed",
  numberInvalid: "no such number",
  contentRefused: "text not allowed",
  balance: "the contract's balance is used up",
  other: "no cause given",
};

const messages = {
  title: "Messages",
  searchLabel: "Number, code or reference",
  searchHint: "A number in any spelling, its last digits, a tracking code, or a reference",
  head: { time: "Time", to: "To", sender: "Sender", account: "Account", status: "Status", parts: "Parts" },
  filter: {
    status: "Status",
    error: "Error",
    route: "Route",
    account: "Account",
    sender: "Sender",
    range: "Time",
  },
  ranges: { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days", all: "All" },
  fixedTimes: "Copy link with fixed times",
  looked: (day: string) => `Looked back to ${day}.`,
  emptyTitle: "No messages yet",
  emptyWords: "Every message stands here the moment it is accepted, with the reason for where it is.",
  emptyAction: "Send one",
  noneTitle: "No message matches",
  noneWords: "Drop a filter, or look further back.",
  fresh: ({ value, text }: Count) => (value === 1 ? "Show one new message" : `Show ${text} new messages`),
};

const message = {
  title: (to: string) => `Message to ${to}`,
  resend: "Send again",
  cancel: "Cancel",
  curl: "Copy as curl",
  story: "What became of it",
  text: "Text",
  facts: "Facts",
  callbacks: "Callbacks",
  hidden: "The code in it is masked.",
  fact: {
    code: "Code",
    account: "Account",
    sender: "Sender",
    reference: "Reference",
    encoding: "Encoding",
    parts: "Parts",
    route: "Route",
    cost: "Cost",
    carrierIds: "Carrier's ids",
    resendOf: "Sent again from",
    key: "Key",
  },
  encoding: { Latin: "Latin", Persian: "Persian", Unicode: "Unicode" },
  step: {
    accepted: "Accepted",
    acceptedWhy: (key: string) => `Stored on disk and answered 202. Key ${key}.`,
    scheduled: "Scheduled",
    waiting: "Waited in the queue",
    claimed: (route: string) => `Handed to ${route}`,
    busy: "Not taken yet",
    taken: (route: string) => `Taken by ${route}`,
    takenWhy: (parts: Count) => (parts.value === 1 ? "One part." : `${parts.text} parts.`),
    unsure: "Nobody knows",
    delivered: "Delivered",
    deliveredWhy: (duration: string) => `The carrier's receipt came after ${duration}.`,
    failed: "Failed",
    cancelled: "Cancelled",
    callback: (host: string) => `Told ${host}`,
    callbackFailed: (host: string) => `${host} did not take the callback`,
    callbackAnswer: (answer: string, duration: string) => `${answer} after ${duration}.`,
    next: "Next",
  },
};

export const enMessages = { reasons, refusals, messages, message };
