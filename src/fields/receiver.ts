/** The fields of who gets alerts, by channel. */

import { alertChannelNames } from "../domain/alert-channel.ts";
import { mailAddressForm } from "../domain/alert-receiver.ts";
import { mailSecurities } from "../domain/mail-security.ts";
import type { FieldTable } from "./field.ts";
import { routeName } from "./route.ts";

export const mailAddress = {
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
    isRequired: true,
    inputMode: "url",
    label: "URL",
    hint: "One on your own network must also be among the trusted destinations of the settings.",
    placeholder: "https://hooks.example.com/peyk",
  },
  /** Even if there is one. */
  newSecret: {
    kind: "truth",
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
    isRequired: true,
    label: "Mail server",
    hint: "Host and port",
    placeholder: "mail.example.com:587",
  },
  security: { kind: "choice", words: mailSecurities, isRequired: true, beside: true, label: "Encryption" },
  /** Empty: the server requires none. */
  user: { kind: "line", min: 0, max: 320, isRequired: true, script: "code", label: "User" },
  /** Asked again when the server, its encryption or the user changes. */
  password: { kind: "secret", max: 1_024, beside: true, label: "Password", hint: "Only with a user" },
  from: { ...mailAddress, isRequired: true, label: "From", placeholder: "peyk@example.com" },
  to: {
    kind: "list",
    min: 1,
    max: 20,
    of: { ...mailAddress, label: "Address" },
    isRequired: true,
    empty: "none",
    entry: "name",
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
    isRequired: true,
    empty: "none",
    entry: "name",
    script: "digits",
    label: "To",
    hint: "One number a line",
  },
  sender: { kind: "sender", isRequired: true, label: "Sender", hint: "One that the routes take" },
  routes: {
    kind: "list",
    max: 16,
    of: routeName,
    isRequired: true,
    empty: "all",
    entry: "name",
    label: "Routes",
    hint: "One a line, the preferred first. Empty: all but simulators.",
  },
} as const satisfies FieldTable;

/** What a channel without receivers of the console's means: that nobody is told, or what the file says. */
export const receiverEndFields = {
  off: { kind: "truth", label: "Off" },
} as const satisfies FieldTable;

/** All of them, unless one is named. */
export const alertTestFields = {
  channel: { kind: "choice", words: alertChannelNames, label: "Channel" },
} as const satisfies FieldTable;

/** What silences alerts of a condition for a time. */
export const silenceFields = {
  /** A route or an account, as in its alert; without it, every alert of the condition. */
  subject: {
    kind: "text",
    max: 200,
    option: "subject <subject>",
    help: "only for this route or account",
    label: "Subject",
  },
  /** Up to a week. */
  hours: {
    kind: "number",
    min: 1,
    max: 168,
    isRequired: true,
    option: "hours <n>",
    help: "for so long, 1 to 168",
    preset: "4",
    label: "Hours",
  },
} as const satisfies FieldTable;
