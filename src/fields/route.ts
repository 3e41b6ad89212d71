/** The keys that the file of every route to a carrier may have. */
import type { FieldTable } from "./field.ts";

/** Narrow, because it appears in paths and logs. */
export const routeName = {
  kind: "text",
  max: 63,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
  problem: { code: "short_name", values: {} },
  label: "Route",
} as const;

export const routeFields = {
  /** No network accepts a sender of more than 20 characters. */
  alphanumericSenderMax: {
    kind: "number",
    min: 1,
    max: 20,
    group: "numbers",
    label: "Longest name as a sender",
    hint: "Characters; GSM phones show 11. Empty for no limit.",
  },
  onUncertain: {
    kind: "choice",
    words: ["resend", "fail"],
    group: "receipts",
    label: "When no answer comes",
    hint: "Sent again, it may arrive twice.",
  },
  resends: {
    kind: "number",
    min: 0,
    max: 100,
    otherwise: 2,
    group: "receipts",
    beside: true,
    label: "Times it is sent again",
    hint: "2 unless set.",
  },
  /** Below the 20 minutes after which a planned attempt counts as planned by a wrong clock. */
  resendAfterSeconds: {
    kind: "number",
    min: 0,
    max: 900,
    group: "receipts",
    beside: true,
    label: "Seconds until then",
    hint: "Empty: 20 where a late answer can still come.",
  },
  "failover.belowDeliveryRate": {
    kind: "number",
    min: 0.01,
    max: 1,
    fractions: true,
    isRequired: true,
    group: "failover",
    label: "Share delivered, below",
    hint: "Of 1, such as 0.5. Empty: never.",
    examples: ["0.5"],
  },
  "failover.overMinutes": {
    kind: "number",
    min: 15,
    max: 1_440,
    otherwise: 60,
    group: "failover",
    beside: true,
    label: "Over minutes",
    hint: "60 unless set.",
  },
  "failover.minimum": {
    kind: "number",
    min: 10,
    max: 1_000_000,
    otherwise: 50,
    group: "failover",
    beside: true,
    label: "Messages, at least",
    hint: "50 unless set.",
  },
} as const satisfies FieldTable;
