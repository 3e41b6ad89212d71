/** The fields of an account's senders. */
import { ofAccount } from "./account.ts";
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
  sender: {
    kind: "sender",
    isRequired: true,
    option: "sender <sender>",
    help: "number or name, 5 to 20 characters",
    label: "Sender",
  },
  active: { kind: "truth", label: "Active" },
  /** In order of preference. */
  routes: {
    kind: "list",
    max: 16,
    of: routeName,
    empty: "none",
    mayBeBlank: true,
    option: "route <names>",
    help: "routes in order of preference: R,R2 or repeated; a later one is used while an earlier one is down",
    label: "Routes",
  },
  /** It takes precedence over the routes. */
  plan: { ...routeName, none: "none", label: "Plan" },
} as const satisfies FieldTable;

const requestNote = { kind: "line", max: 300, label: "Note" } as const;

/** A sender that a customer asks for, and what it says with it. */
export const senderRequestFields = {
  sender: senderFields.sender,
  note: { ...requestNote, isRequired: true },
} as const satisfies FieldTable;

/** The answer of who refuses one. */
export const refusedSenderFields = { note: { ...requestNote, min: 0 } } as const satisfies FieldTable;

/** Which of an account's senders a command is about. */
export const senderChoice = { account: ofAccount, sender: senderFields.sender } as const satisfies FieldTable;
