/** English: the first page of a customer. */
import type { Count } from "../../format/format.ts";

const overview = {
  title: "Overview",
  well: "Nothing needs a look",
  wellLead: "Your callbacks are answered and your keys are good.",
  need: {
    suspended: "Your account is suspended.",
    suspendedCause: "What waits is held, and nothing is lost. Ask whoever runs this service.",
    suspendedAction: "See what waits",
    noSender: "Your account has no active sender.",
    noSenderCause: "Nothing can be sent without one. Ask whoever runs this service.",
    noSenderAction: "How to begin",
    callbacksFailing: (host: string, moment: string) => `Callbacks to ${host} have failed since ${moment}.`,
    callbacksFailingCause: (waiting: Count) =>
      waiting.value === 1 ? "One waits to be sent again." : `${waiting.text} wait to be sent again.`,
    callbacksFailingAction: "See the deliveries",
    keyEnds: (name: string, duration: string) => `The key ${name} ends in ${duration}.`,
    keyEndsCause: "What sends with it is refused from then on.",
    keyOld: (name: string, duration: string) => `The key ${name} is ${duration} old.`,
    keyOldCause: "A new secret once a year keeps what leaked from being of use.",
    keyAction: "See the keys",
    balance: "The balance is used up.",
    balanceCause: "New messages are refused until it is topped up.",
    balanceAction: "See the usage",
  },
  figure: {
    month: "Messages this month",
    delivered: "Delivered",
    failed: "Failed this month",
    balance: "Left to spend",
    owed: "Owed",
  },
  usage: "Messages a day",
  usageTitle: "Messages a day in the last 30 days, by outcome",
  latest: "Latest messages",
  all: "All messages",
  none: "No message yet.",
};

export const enOverview = { overview };
