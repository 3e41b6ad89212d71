/** The fields of who gets alerts, by channel. */

import { mailAddressForm } from "../domain/alert-receiver.ts";
import { mailSecurities } from "../domain/mail-security.ts";
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";

const mailAddress = {
  kind: "text",
  max: 320,
  pattern: mailAddressForm,
  problem: { code: "mail_address", values: {} },
} as const;

export const webhookReceiverFields = {
  url: {
    kind: "text",
    max: 2_048,
    pattern: /^https:\/\//,
    problem: { code: "webhook_url", values: { reason: "not_https" } },
    label: "URL",
    hint: "One on your own network must also be among the trusted destinations of the settings.",
    examples: ["https://hooks.example.com/peyk"],
  },
  /** Even if there is one. */
  newSecret: {
    kind: "truth",
    hasDefault: true,
    label: "Make a new signing secret",
    hint: "The current one stops working at once.",
  },
} as const satisfies FieldTable;

export const mailReceiverFields = {
  server: {
    kind: "text",
    max: 260,
    pattern: /^.+:[0-9]{1,5}$/,
    problem: { code: "host_port", values: {} },
    label: "Mail server",
    hint: "Host and port",
    examples: ["mail.example.com:587"],
  },
  security: { kind: "choice", words: mailSecurities, label: "Encryption" },
  /** Empty: the server requires none. */
  user: {
    kind: "line",
    min: 0,
    max: 320,
    label: "User",
  },
  /** Asked again when the server, its encryption or the user changes. */
  password: { kind: "secret", hasDefault: true, max: 1_024, label: "Password", hint: "Only with a user" },
  from: { ...mailAddress, label: "From", examples: ["peyk@example.com"] },
  to: {
    kind: "list",
    min: 1,
    max: 20,
    of: { ...mailAddress, label: "Address" },
    empty: "none",
    entry: "line",
    label: "To",
    hint: "One address a line",
  },
} as const satisfies FieldTable;

export const smsReceiverFields = {
  to: {
    kind: "list",
    min: 1,
    max: 20,
    of: { kind: "text", max: 40, label: "Number" },
    empty: "none",
    entry: "line",
    label: "To",
    hint: "One number a line",
  },
  sender: { kind: "sender", label: "Sender", hint: "One that the routes take" },
  routes: {
    kind: "list",
    max: 16,
    of: routeName,
    empty: "all",
    entry: "line",
    label: "Routes",
    hint: "One a line, the preferred first. Empty: all but simulators.",
  },
} as const satisfies FieldTable;

/** What silences alerts of a condition for a time. */
export const silenceFields = {
  /** A route or an account, as in its alert; without it, every alert of the condition. */
  subject: { kind: "text", max: 200, label: "Subject" },
  /** Up to a week. */
  hours: { kind: "number", min: 1, max: 168, label: "Hours" },
} as const satisfies FieldTable;
