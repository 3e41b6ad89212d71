/** The fields of API keys. */
import { permissions } from "../domain/permissions.ts";
import { ofAccount } from "./account.ts";
import type { FieldTable } from "./field.ts";

export const keyFields = {
  name: {
    kind: "line",
    max: 120,
    isRequired: true,
    option: "name <name>",
    help: "a name for people, such as the system that uses it",
    label: "Name",
    hint: "Which system uses it.",
  },
  rate: {
    kind: "number",
    may: "narrow",
    min: 1,
    max: 1_000_000,
    none: "default",
    option: "rate <n>",
    help: "requests per minute, or default (setting http.requests_per_minute)",
    label: "Requests a minute",
    hint: "More are refused.",
  },
  permissions: {
    kind: "set",
    may: "narrow",
    words: permissions,
    all: "all",
    option: "permission <permission>",
    help: `may be repeated: all, ${permissions.join(", ")}`,
    label: "Permissions",
    hint: "What it may be used for.",
  },
  expiresAt: {
    kind: "time",
    may: "narrow",
    none: "never",
    option: "expires <date>",
    help: "when it ends: never, or a date",
    label: "Expires",
    hint: "When it stops working: a day, with an hour if you like. Empty: never.",
    examples: ["2027-03-21 08:00", "1406/01/01"],
  },
  allowFrom: {
    kind: "list",
    may: "narrow",
    max: 100,
    empty: "anywhere",
    option: "allow-from <range>",
    help: "take the key from these addresses alone; may be repeated: 203.0.113.0/24; anywhere",
    label: "Addresses",
    hint: "It is only accepted from these addresses or ranges. Empty: from everywhere.",
    examples: ["203.0.113.0/24"],
  },
} as const satisfies FieldTable;

const { name, ...limits } = keyFields;

export const newKeyFields = {
  account: { ...ofAccount, help: "the account of the key" },
  name,
  test: {
    kind: "truth",
    option: "test",
    help: "its messages take only the simulator (setting sandbox.enabled); read them: peyk simulator inbox",
    label: "Test key",
  },
  ...limits,
} as const satisfies FieldTable;

/** What a key's renewal takes. */
export const renewalFields = {
  graceSeconds: {
    kind: "number",
    unit: "seconds",
    min: 0,
    max: 7_776_000,
    option: "grace <duration>",
    help: "how long the old secret still works: 0, 15m, 24h, 7d",
    preset: "24h",
    label: "Seconds the old secret still works",
  },
} as const satisfies FieldTable;

/** What its end takes. */
export const revocationFields = {
  cancelWaiting: {
    kind: "truth",
    option: "cancel-waiting",
    help: "cancel what waits of it, scheduled messages too; for a key that is revoked already as well",
    label: "Cancel what waits",
  },
} as const satisfies FieldTable;
