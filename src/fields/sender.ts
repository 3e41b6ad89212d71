/** The fields of an account's senders. */
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";

/** A phone number in any common spelling, or an alphanumeric sender. */
export const address = {
  kind: "text",
  min: 1,
  max: 40,
  pattern: /\S/,
  problem: { code: "address", values: {} },
  label: "Number",
} as const;

export const senderFields = {
  sender: { kind: "sender", label: "Sender" },
  active: { kind: "truth", label: "Active" },
  /** In order of preference. */
  routes: { kind: "list", max: 16, of: routeName, empty: "none", label: "Routes" },
  /** It takes precedence over the routes. */
  plan: { ...routeName, none: "none", label: "Plan" },
} as const satisfies FieldTable;
