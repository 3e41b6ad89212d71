/** English: what runs now, and what needs a look. */
import type { Count } from "../../format/format.ts";

const now = {
  title: "Now",
  allWell: (clock: string) => `All is well, ${clock}`,
  allWellLead: "Routes are up, callbacks are answered, nothing waits longer than it should.",
  needs: ({ value, text }: Count) => (value === 1 ? "One thing needs a look" : `${text} things need a look`),
  need: {
    /** What a condition means, where the console says more than what to do. */
    why: {
      ReceiptsUnmatched: "The carrier writes its ids in another way than in its answers.",
      CertificateEnds: "Peyk takes the new one as soon as the file changes.",
      DiskFull: "Once it is full Peyk accepts nothing more; what was accepted stays.",
    },
    /** Where a condition is looked at. */
    look: {
      "/alerts": "See the alerts",
      "/routes": "Match them",
      "/system#backups": "See backups",
      "/system#queue": "See what waits",
      "/system#clock": "Look at the clock",
      "/system#certificate": "See the certificate",
      "/system#disk": "See what takes room",
    },
    moreAlike: ({ text }: Count) => `It is the same with ${text} more.`,
    moreAlikeCause: "Alerts has all of them.",
    routeDown: (route: string, clock: string) => `Route ${route} is down since ${clock}.`,
    routeDownCause: (waiting: Count, cause: string) => `${counts(waiting)} for it. The last answer: ${cause}`,
    routeDownAction: "See the route",
    routesDown: (routes: Count, names: string) =>
      routes.value === 1 ? `One more route is down: ${names}.` : `${routes.text} more routes are down: ${names}.`,
    routesDownMore: (routes: Count) => `${routes.text} more`,
    routesDownCause: (waiting: Count) => `${counts(waiting)} for them.`,
    routesDownAction: "See the routes",
    callbacksFailing: (account: string, host: string, clock: string) =>
      `Callbacks of ${account} to ${host} have failed since ${clock}.`,
    callbacksFailingCause: (waiting: Count, answer: string) =>
      `${waiting.text} wait to be sent again. The last answer: ${answer}`,
    callbacksFailingAction: "See the deliveries",
    simulator: (senders: string) => `The simulator carries ${senders}.`,
    more: ({ text }: Count) => `${text} more`,
    simulatorCause: "These messages look delivered and never leave this machine.",
    simulatorAction: "Choose a route",
  },
  figures: {
    accepted: "Accepted today",
    delivered: "Delivered",
    failed: "Failed",
    waiting: "Waiting",
    yesterday: (text: string) => `${text} by this time yesterday`,
    ofFinal: "of those that are final",
    oldest: (duration: string) => `the oldest for ${duration}`,
    nothingWaits: "nothing waits",
    noneLate: "none of them is late",
  },
  outcomes: "Outcomes a minute",
  outcomesTitle: "Messages a minute in the last hour, by outcome",
  series: { delivered: "Delivered", sent: "Sent, no receipt yet", failed: "Failed" },
  queue: "Waiting",
  queueEmpty: "Nothing waits. What is accepted goes out at once.",
  className: { otp: "One-time passwords", single: "Single messages", bulk: "Batches and groups" },
  head: {
    class: "Class",
    route: "Route",
    waiting: "Waiting",
    oldest: "Oldest",
    state: "State",
    rate: "Parts a second",
    window: "Unanswered",
  },
  routes: "Routes",
  moreRoutes: ({ value, text }: Count) => (value === 1 ? "One more route" : `${text} more routes`),
  rateOf: (rate: string, limit: string) => `${rate} of ${limit}`,
  begin: {
    title: "Three steps to the first message",
    lead: "They tick themselves.",
    carrier: "Connect a carrier",
    carrierWhy: "SMPP or HTTP, from a form that knows the common ones. Until then the simulator answers.",
    carrierAction: "Add a route",
    account: "Make an account and a key",
    accountWhy: "The key is what your back end sends with.",
    accountAction: "New account",
    message: "Send the first message",
    messageWhy: "From here, or with the curl line beside the key.",
    messageAction: "Send",
    done: "Done",
  },
};

function counts({ value, text }: Count): string {
  return value === 1 ? "One message waits" : `${text} messages wait`;
}

export const enNow = { now };
