/** The keys that the file of every route to a carrier may have. */
import { between, type FieldTable, inGroup } from "./field.ts";

/** Narrow, because it appears in paths and logs. */
export const routeName = {
  kind: "text",
  max: 63,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
  problem: { code: "short_name", values: {} },
  label: "Route",
} as const;

const numbers = inGroup("numbers", {
  /** No network accepts a sender of more than 20 characters. */
  alphanumericSenderMax: {
    ...between(1, 20),
    label: "Longest name as a sender",
    hint: "Characters; GSM phones show 11. Empty for no limit.",
  },
});

const receipts = inGroup("receipts", {
  onUncertain: {
    kind: "choice",
    words: ["resend", "fail"],
    label: "When no answer comes",
    hint: "Sent again, it may arrive twice.",
  },
  resends: { ...between(0, 100, 2), beside: true, label: "Times it is sent again", hint: "2 unless set." },
  /** Below the 20 minutes after which a planned attempt counts as planned by a wrong clock. */
  resendAfterSeconds: {
    ...between(0, 900),
    beside: true,
    label: "Seconds until then",
    hint: "Empty: 20 where a late answer can still come.",
  },
});

const failover = inGroup("failover", {
  "failover.belowDeliveryRate": {
    kind: "number",
    min: 0.01,
    max: 1,
    fractions: true,
    isRequired: true,
    label: "Share delivered, below",
    hint: "Of 1, such as 0.5. Empty: never.",
    examples: ["0.5"],
  },
  "failover.overMinutes": { ...between(15, 1_440, 60), beside: true, label: "Over minutes", hint: "60 unless set." },
  "failover.minimum": {
    ...between(10, 1_000_000, 50),
    beside: true,
    label: "Messages, at least",
    hint: "50 unless set.",
  },
});

export const routeFields = { ...numbers, ...receipts, ...failover } satisfies FieldTable;
