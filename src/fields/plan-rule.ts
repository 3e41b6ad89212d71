/** The fields of a routing plan's rule. */
import { messageClassNames } from "../domain/message.ts";
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
