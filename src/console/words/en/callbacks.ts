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
    delivered: "Answered in 24 hours",
  },
  answered: (status: string, duration: string) => `${status} after ${duration}`,
  none: "not called yet",
  failure: {
    timeout: (duration: string) => `No answer within ${duration}`,
    refused: "Connection refused",
    certificate: "Its certificate is not valid",
    address: "Its address is not public",
  },
  failing: (host: string, clock: string) => `${host} fails since ${clock}. What waits is sent when it answers again.`,
  replay: "Send the failed ones again",
  emptyTitle: "Nobody asked to be told",
  emptyWords:
    "A customer registers an address with its key; every change of a message's status is posted there, signed.",
  attempts: (count: Count) => (count.value === 1 ? "1 attempt" : `${count.text} attempts`),
};

export const enCallbacks = { callbacks };
