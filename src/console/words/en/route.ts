/** English: one route to a carrier. */
import type { Count } from "../../format/format.ts";

const route = {
  test: "Test",
  disable: "Disable",
  enable: "Enable",
  kind: { smpp: "SMPP", http: "HTTP", simulator: "Simulator" },
  downSince: (clock: string, cause: string) => `Down since ${clock}. The last answer: ${cause}`,
  downNote: (waiting: Count) =>
    waiting.value === 1
      ? "One message waits for it and can still be cancelled. Peyk tries again by itself."
      : `${waiting.text} messages wait for it and can still be cancelled. Peyk tries again by itself.`,
  figure: {
    rate: "Parts a second",
    rateNote: (limit: string) => `of ${limit} agreed`,
    unanswered: "Unanswered",
    unansweredNote: (window: string) => `of a window of ${window}`,
    answer: "Answer, median",
    delivered: "Delivered in 24 hours",
    deliveredNote: (duration: string) => `receipts after ${duration}, median`,
  },
  rate: "Parts a second",
  rateTitle: "Parts a second in the last hour",
  series: { taken: "Taken", refused: "Refused" },
  binds: "Binds",
  bind: {
    link: "Bind",
    state: "State",
    since: "Since",
    unanswered: "Unanswered",
    answer: "Last answer",
  },
  refusals: "Refusals in 24 hours",
  refusal: { code: "Code", meaning: "Meaning", count: "Count", last: "Last", becomes: "Becomes" },
  becomes: { retry: "tried again", failed: "failed", throttle: "slower" },
  noRefusals: "Nothing was refused in 24 hours.",
  unmatched: "Receipts that match no message",
  unmatchedWhy: (count: Count, sent: string, got: string) =>
    `${count.text} in 24 hours. Answers carry ids such as ${sent}, receipts such as ${got}: the same number, written otherwise.`,
  match: "Match them so",
  noUnmatched: "Every receipt found its message.",
  options: "Connection",
  option: { host: "Host", systemId: "System id", window: "Window", rate: "Parts a second", tls: "TLS", binds: "Binds" },
  yes: "yes",
  no: "no",
};

export const enRoute = { route };
