/** English: webhooks and what became of their deliveries. */
import type { Count } from "../../format/format.ts";

const callbacks = {
  title: "Callbacks",
  lead: "Where customers are told what became of their messages. A failed delivery is tried eight times, at growing intervals.",
  head: {
    url: "Address",
    account: "Account",
    state: "State",
    waiting: "Waiting",
    answer: "Last answer",
    delivered: "Accepted, of the newest 50",
    created: "Time",
    event: "Event",
    answers: "Answers",
    again: "Actions",
  },
  answered: (status: string, duration: string) => `${status} after ${duration}`,
  none: "not called yet",
  failure: {
    timeout: (duration: string) => `No answer within ${duration}`,
    refused: "Connection refused",
    certificate: "Its certificate is not valid",
    address: "Its address is not public, or not found",
    broken: "The answer broke off",
    stopped: "Stopped",
  },
  failing: (host: string, clock: string) =>
    `${host} has failed since ${clock}. What waits is sent when it answers again.`,
  replay: "Send the failed ones again",
  webhook: "Webhook",
  events: "Events",
  deliveries: "Deliveries",
  message: "Message",
  again: "Send again",
  againOne: "Send again",
  next: (moment: string) => `next attempt ${moment}`,
  shown: ({ value, text }: Count) => (value === 1 ? "1 delivery" : `${text} deliveries`),
  behind: "waits for an earlier event",
  nothingYet: "Nothing was posted yet",
  nothingYetWords: "Each event that it asked for shows here, with every answer.",
  replayed: ({ value, text }: Count) =>
    value === 1 ? "1 delivery is due again." : `${text} deliveries are due again.`,
  switchedOff: (moment: string) =>
    `Switched off ${moment}: every callback had failed for five days. Its customer switches it on again.`,
  secret: {
    title: "Signing secret",
    hint: "A new one is shown once, and signs when you switch to it, or after 24 hours: the receiver has time to learn it.",
    next: (moment: string) => `The new secret signs from ${moment}, or when you switch to it.`,
    make: "Make a new secret",
    shownOnce: "Shown once: give it to the receiver now.",
    switchNow: "Switch to the new secret",
    switched: "The new secret signs from now on.",
  },
  replayForm: {
    title: (host: string) => `Send again to ${host}`,
    span: "Events of the last",
    spans: { hour: "hour", day: "24 hours", week: "7 days" },
    onlyFailed: "Only what failed",
    onlyFailedHint: "Else what was delivered is posted again, too.",
    ids: "Every event keeps its id, so that a receiver can tell what it has had.",
  },
  emptyTitle: "No webhook yet",
  emptyWords:
    "A customer registers an address with its key; every change of a message's status is posted there, signed.",
  attempts: (count: Count) => (count.value === 1 ? "1 attempt" : `${count.text} attempts`),
};

export const enCallbacks = { callbacks };
