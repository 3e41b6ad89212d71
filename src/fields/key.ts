/** The fields of API keys. */
import { permissions } from "../domain/permissions.ts";
import type { FieldTable } from "./field.ts";

export const keyFields = {
  name: {
    kind: "line",
    max: 120,
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

/** What else a key's creation, renewal and end take. */
export const keyChangeFields = {
  test: { kind: "truth", label: "Test key" },
  graceSeconds: { kind: "number", min: 0, max: 7_776_000, label: "Seconds the old secret still works" },
  cancelWaiting: { kind: "truth", label: "Cancel what waits" },
} as const satisfies FieldTable;
