/** The fields of tokens by which users' programs act for them. */
import { roles } from "../domain/roles.ts";
import type { Field, FieldTable } from "./field.ts";

/** In a list of operations: all that change nothing. */
export const readsOnly = "reads";

const operation = {
  kind: "text",
  min: 1,
  max: 100,
  pattern: /^(?:reads|(?:GET|POST|PUT|PATCH|DELETE) \/[!-~]+)$/,
  label: "Operation",
} as const;

export const tokenFields = {
  name: {
    kind: "line",
    max: 60,
    isRequired: true,
    label: "Name",
    hint: "Which program uses it.",
  },
  role: {
    kind: "choice",
    words: roles,
    hasDefault: true,
    option: "role <role>",
    help: `at most this: ${roles.join(", ")}; by default the user's own`,
    label: "Role",
    hint: "What it may do, at most.",
  },
  expiresAt: {
    kind: "time",
    isRequired: true,
    label: "Expires",
    hint: "When it stops working, within a year: a day, with an hour if you like.",
    examples: ["2027-03-21 08:00", "1406/01/01"],
  },
  allowFrom: {
    kind: "list",
    max: 100,
    empty: "anywhere",
    option: "allow-from <range>",
    help: "take it from these addresses alone; may be repeated: 203.0.113.0/24; anywhere",
    label: "Addresses",
    hint: "It is only accepted from these addresses or ranges. Empty: from everywhere.",
    examples: ["203.0.113.0/24"],
  },
  operations: {
    kind: "list",
    max: 100,
    of: operation,
    empty: "all",
    entry: "line",
    option: "operation <operation>",
    help: `only these; may be repeated: "GET /messages", ${readsOnly} (all that change nothing); all`,
    label: "Operations",
    hint: `One a line, or the word ${readsOnly} for all that change nothing. Empty: all that its role may.`,
    examples: [readsOnly, "POST /messages"],
  },
  readsTexts: {
    kind: "truth",
    option: "texts <word>",
    help: "whether it sees texts and whole numbers: yes, no (the default: both are masked)",
    label: "Reads texts and whole numbers",
    hint: "Otherwise both are masked in all that it is answered.",
  },
  freed: {
    kind: "list",
    max: 100,
    of: operation,
    empty: "none",
    entry: "line",
    option: "free <operation>",
    help: "done without a person's confirmation although it costs or deletes; may be repeated; none",
    label: "Without confirmation",
    hint: "Operations that cost or delete, and that it does at once. Only an owner sets them.",
    examples: ["POST /messages"],
  },
} as const satisfies FieldTable;

/** Whose it is. */
export const tokenOwner = { kind: "text", max: 64, label: "User" } as const satisfies Field;
