/** The fields of a routing plan's rule. */
import { messageClassNames } from "../domain/message.ts";
import { planLimits } from "../domain/plan-limits.ts";
import type { FieldTable } from "./field.ts";

/** What a rule of a routing plan matches; an empty list matches everything. */
export const planRuleFields = {
  networks: {
    kind: "list",
    max: 200,
    empty: "all",
    entry: "name",
    isShort: true,
    option: "network <names>",
    help: "numbers of these networks; as one list with --country and --range",
    label: "Networks",
  },
  countries: {
    kind: "list",
    of: "country",
    max: 300,
    empty: "all",
    isShort: true,
    isUpperCase: true,
    option: "country <codes>",
    help: "numbers of these countries",
    label: "Countries",
    examples: ["IR, AE"],
  },
  ranges: {
    kind: "list",
    max: 200,
    empty: "all",
    isShort: true,
    option: "range <ranges>",
    help: "numbers that begin so, +98912, or +98912-+98914",
    label: "Number ranges",
    beside: true,
    examples: ["+98912, +98913-+98915"],
  },
  classes: {
    kind: "set",
    words: messageClassNames,
    all: "all",
    mayBeEmpty: true,
    option: "class <classes>",
    help: messageClassNames.join(", "),
    label: "What is sent",
  },
  accounts: {
    kind: "list",
    max: 50,
    empty: "all",
    isShort: true,
    option: "account <ids>",
    help: "messages of these accounts",
    label: "Accounts",
    examples: ["acc_1, acc_2"],
  },
} as const satisfies FieldTable;

export const newPlanRuleFields = {
  ...planRuleFields,
  /** Where it comes in the order. */
  number: {
    kind: "number",
    min: 1,
    max: planLimits.rules,
    hasDefault: true,
    option: "number <n>",
    help: "where it comes in the order, from 1 (default: at the end)",
    label: "Position",
    hint: "From 1; empty for the end.",
  },
} as const satisfies FieldTable;

/** Where one that exists is moved to. */
export const planMoveFields = {
  to: {
    ...newPlanRuleFields.number,
    isRequired: true,
    option: "to <n>",
    help: "its number afterwards",
  },
} as const satisfies FieldTable;
