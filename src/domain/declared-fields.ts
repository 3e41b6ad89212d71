/** The fields of keys, accounts, quotas and rules that operators set. */
import type { FieldTable } from "./field.ts";
import { messageClassNames } from "./message.ts";
import { permissions } from "./permissions.ts";
import { quotaPartsMax } from "./quota.ts";
import { suppressionScopes } from "./suppression.ts";

const bySettings = "Empty: as the service's settings say.";

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
    min: 1,
    max: 1_000_000,
    none: "default",
    option: "rate <n>",
    help: "requests per minute, or default (setting http.requests_per_minute)",
    label: "Requests a minute",
    hint: bySettings,
  },
  permissions: {
    kind: "set",
    words: permissions,
    all: "all",
    option: "permission <permission>",
    help: `may be repeated: all, ${permissions.join(", ")}`,
    label: "Permissions",
    hint: "What it may be used for.",
  },
  expiresAt: {
    kind: "time",
    none: "never",
    option: "expires <date>",
    help: "when it ends: never, or a date",
    label: "Expires",
    hint: "When it stops working: a day, with an hour if you like. Empty: never.",
    examples: ["2027-03-21 08:00", "1406/01/01"],
  },
  allowFrom: {
    kind: "list",
    max: 100,
    empty: "anywhere",
    option: "allow-from <range>",
    help: "take the key from these addresses alone; may be repeated: 203.0.113.0/24; anywhere",
    label: "Addresses",
    hint: "It is taken from these alone: addresses or ranges. Empty: from everywhere.",
    examples: ["203.0.113.0/24"],
  },
} as const satisfies FieldTable;

export const accountFields = {
  name: {
    kind: "line",
    max: 120,
    option: "name <name>",
    help: "a name for people, 1 to 120 characters",
    label: "Name",
    hint: "Who it is. The customer sees it in the portal.",
  },
  defaultSender: {
    kind: "sender",
    none: "none",
    option: "default-sender <sender>",
    help: "one of its senders, or none",
    label: "Default sender",
    hint: "For one-time passwords and patterns that name no sender.",
  },
  timeZone: {
    kind: "line",
    max: 60,
    none: "default",
    option: "time-zone <zone>",
    help: "a name such as Asia/Tehran, or default (setting default_time_zone)",
    label: "Time zone",
    hint: "Where its days begin.",
    examples: ["Asia/Tehran"],
  },
  countries: {
    kind: "list",
    max: 300,
    none: "default",
    empty: "all",
    isUpperCase: true,
    option: "countries <codes>",
    help: "may be repeated: IR,TR; all; default (setting sending.countries)",
    label: "Countries",
    hint: "That it may send to: two letters each, or all.",
    examples: ["IR AE", "all"],
  },
  quietHours: {
    kind: "list",
    max: 20,
    none: "default",
    empty: "none",
    entry: "line",
    option: "quiet-hours <windows>",
    help: "in which bulk waits, may be repeated: 22:00-08:00; days on which one begins may follow: Thu Fri; none; default (setting quiet_hours.windows)",
    label: "Quiet hours",
    hint: "When its bulk messages wait: one window a line, with days after it if it holds on some only; or none.",
    examples: ["22:00-08:00", "13:00-16:00 Thu Fri", "none"],
  },
  quietSingles: {
    kind: "truth",
    none: "default",
    option: "quiet-singles <word>",
    help: "whether single messages wait then, too: yes, no, default",
    label: "Single messages wait",
    hint: "Whether single messages wait in quiet hours, too. One-time passwords never do.",
  },
  suppression: {
    kind: "choice",
    words: suppressionScopes,
    option: "suppression <scope>",
    help: `what suppression lists stop: ${suppressionScopes.join(", ")}`,
    label: "Suppressed numbers",
    hint: "Which of its messages are stopped for numbers on a suppression list.",
  },
  retentionDays: {
    kind: "number",
    min: 1,
    max: 3650,
    none: "default",
    option: "keep-days <days>",
    help: "after which its messages are deleted, or default (setting messages.retention_days)",
    label: "Days messages are kept",
    hint: `After them they are deleted; their figures stay. ${bySettings}`,
  },
  textDays: {
    kind: "number",
    min: 1,
    max: 3650,
    none: "default",
    option: "keep-texts-days <days>",
    help: "after which the texts of its messages are deleted, or default (with the messages)",
    label: "Days texts are kept",
    hint: "After them a message stays without its text. Empty: as long as the message.",
  },
} as const satisfies FieldTable;

const quotaHint = "Empty for no quota.";

/** Of an account or a key, in parts. */
export const quotaFields = {
  day: {
    kind: "number",
    min: 0,
    max: quotaPartsMax,
    none: "none",
    option: "day <parts>",
    help: "parts a day, where the account's time zone is; none lifts it",
    label: "Parts a day",
    hint: quotaHint,
  },
  month: {
    kind: "number",
    min: 0,
    max: quotaPartsMax,
    none: "none",
    option: "month <parts>",
    help: "parts a month (setting default_calendar); none lifts it",
    label: "Parts a month",
    hint: quotaHint,
  },
} as const satisfies FieldTable;

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
    hint: "With commas between. Known are:",
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
