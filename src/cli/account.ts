/** `peyk account …`: the customers that send through this service. */
import { counted } from "../domain/counted.ts";
import { suppressionScopes } from "../domain/suppression.ts";
import type { AccountAnswer } from "../operator/answers.ts";
import { balanceCommand, correctCommand, ledgerCommand, topUpCommand } from "./account-money.ts";
import { UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatKeys } from "./key.ts";
import { askList, listVerb } from "./list.ts";
import { formatSenders } from "./sender.ts";
import { formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { collect, isOnly, oneWordOf, wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function accountCommand(io: CliIo) {
  return noun("account", "customers of this service: each has its own keys, senders and messages")
    .addCommand(create(io))
    .addCommand(update(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(suspend(io))
    .addCommand(resume(io))
    .addCommand(set(io))
    .addCommand(note(io))
    .addCommand(topUpCommand(io))
    .addCommand(correctCommand(io))
    .addCommand(balanceCommand(io))
    .addCommand(ledgerCommand(io));
}

function create(io: CliIo) {
  return verb("create", { does: "create an account", examples: ['peyk account create --name "City clinic"'] })
    .requiredOption("--name <name>", "a name for people, 1 to 120 characters")
    .action((options) =>
      ask(
        io,
        options,
        (api) => api("POST /accounts", { name: options.name }),
        ({ id }) =>
          `Account ${id} created. Next:\n  peyk sender add --account ${id} --sender NUMBER\n  peyk key create --account ${id} --name NAME\n`,
      ),
    );
}

function update(io: CliIo) {
  const words = {
    does: "rename an account, choose the sender of its group sends, or limit the countries that it may send to",
    examples: [
      "peyk account update acc_1 --default-sender 30001234",
      'peyk account update acc_1 --name "New name"',
      "peyk account update acc_1 --countries IR,TR",
    ],
  };
  return verb("update", words)
    .argument("<id>", "account id, such as acc_1")
    .option("--name <name>", "a new name")
    .option("--default-sender <sender>", "one of its senders")
    .option("--countries <codes>", "may be repeated: IR,TR; all; default (setting sending.countries)", collect)
    .action((id, options) => {
      const { name, defaultSender, countries } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(defaultSender !== undefined && { defaultSender }),
        ...(countries !== undefined && { countries: countriesFrom(countries) }),
      };
      if (Object.keys(change).length === 0)
        throw new UsageError("Say at least one of --name, --default-sender and --countries.");
      return ask(io, options, (api) => api("PATCH /accounts/:id", { id, ...change }), accountFields);
    });
}

function set(io: CliIo) {
  const words = {
    does: "set an account's time zone, its quiet hours, what suppression lists stop, and how long its messages are kept",
    examples: [
      "peyk account set acc_1 --time-zone Asia/Tehran",
      "peyk account set acc_1 --time-zone default",
      "peyk account set acc_1 --suppression all_but_otp",
      'peyk account set acc_1 --quiet-hours 22:00-08:00 --quiet-hours "13:00-16:00 Fri"',
      "peyk account set acc_1 --keep-days 30 --keep-texts-days 7",
    ],
  };
  return verb("set", words)
    .argument("<id>", "account id")
    .option("--time-zone <zone>", "a name such as Asia/Tehran, or default (setting default_time_zone)")
    .option("--suppression <scope>", `what suppression lists stop: ${suppressionScopes.join(", ")}`)
    .option(
      "--quiet-hours <windows>",
      "in which bulk waits, may be repeated: 22:00-08:00; days on which one begins may follow: Thu Fri; none; default (setting quiet_hours.windows)",
      collect,
    )
    .option("--quiet-singles <word>", `whether single messages wait then, too: ${quietSinglesWords.join(", ")}`)
    .option("--keep-days <days>", "after which its messages are deleted, or default (setting messages.retention_days)")
    .option(
      "--keep-texts-days <days>",
      "after which the texts of its messages are deleted, or default (with the messages)",
    )
    .action((id, { timeZone, suppression, quietHours, quietSingles, keepDays, keepTextsDays, ...options }) => {
      const change = {
        ...(timeZone !== undefined && { timeZone: timeZone === "default" ? null : timeZone }),
        ...(suppression !== undefined && {
          suppression: oneWordOf("--suppression", suppressionScopes, suppression),
        }),
        ...(quietHours !== undefined && { quietHours: quietHoursFrom(quietHours) }),
        ...(quietSingles !== undefined && { quietSingles: quietSinglesFrom(quietSingles) }),
        ...(keepDays !== undefined && { retentionDays: daysFrom("--keep-days", keepDays) }),
        ...(keepTextsDays !== undefined && { textDays: daysFrom("--keep-texts-days", keepTextsDays) }),
      };
      if (Object.keys(change).length === 0) throw new UsageError("Say what to set: peyk account set --help");
      return ask(io, options, (api) => api("PATCH /accounts/:id", { id, ...change }), accountFields);
    });
}

function note(io: CliIo) {
  const words = {
    does: "keep a note about an account, in place of the one before; its customer never sees it",
    examples: ['peyk account note acc_1 "Pays by invoice; ask for Sara"', 'peyk account note acc_1 ""'],
  };
  return verb("note", words)
    .argument("<id>", "account id")
    .argument("<text>", "at most 2000 characters; an empty one takes the note away")
    .action((id, text, options) =>
      ask(io, options, (api) => api("PATCH /accounts/:id", { id, note: text }), accountFields),
    );
}

/** Null: as the settings say. */
const daysFrom = (option: string, text: string) => (text === "default" ? null : wholeNumber(option, text, 1, 3650));

const keptText = (days: number | null) => (days === null ? "default" : counted(days, "day"));

const quietSinglesWords = ["yes", "no", "default"] as const;

/** Null: as the settings say. */
function quietSinglesFrom(text: string): boolean | null {
  const word = oneWordOf("--quiet-singles", quietSinglesWords, text);
  return word === "default" ? null : word === "yes";
}

/** Null: those of the settings; empty: none. */
function quietHoursFrom(words: readonly string[]): string[] | null {
  if (isOnly(words, "default")) return null;
  return isOnly(words, "none") ? [] : [...words];
}

function quietHoursText({ quietHours, quietSingles }: AccountAnswer): string {
  const windows = quietHours === null ? "default" : quietHours.join(", ") || "none";
  if (quietSingles === null) return windows;
  return `${windows}; single messages ${quietSingles ? "wait, too" : "do not wait"}`;
}

/** Null: those of the settings; none: every country. */
function countriesFrom(words: readonly string[]): string[] | null {
  if (isOnly(words, "default")) return null;
  return isOnly(words, "all") ? [] : words.map((code) => code.toUpperCase());
}

function countriesText(countries: readonly string[] | null): string {
  if (countries === null) return "default";
  return countries.length === 0 ? "all" : countries.join(", ");
}

function list(io: CliIo) {
  const examples = ["peyk account list", "peyk account list --query clinic --limit 100"];
  return listVerb({ does: "list all accounts", examples }).action((options) =>
    askList(io, options, {
      part: (api, query) => api("GET /accounts", query),
      whole: ({ billing: _, senders: __, ...row }) => row,
      table: accountTable,
    }),
  );
}

function show(io: CliIo) {
  return verb("show", { does: "show an account with its keys and senders", examples: ["peyk account show acc_1"] })
    .argument("<id>", "account id")
    .action((id, options) =>
      ask(
        io,
        options,
        (api) => api("GET /accounts/:id", { id }),
        (account) => `${accountFields(account)}\n${formatKeys(account.keys)}\n${formatSenders(account.senders)}`,
      ),
    );
}

function suspend(io: CliIo) {
  const words = {
    does: "refuse an account's requests and hold its waiting messages until it is resumed",
    examples: ["peyk account suspend acc_1"],
  };
  return verb("suspend", words)
    .argument("<id>", "account id")
    .action((id, options) => ask(io, options, (api) => api("POST /accounts/:id/suspend", { id }), accountFields));
}

function resume(io: CliIo) {
  return verb("resume", {
    does: "serve a suspended account again and send what it held",
    examples: ["peyk account resume acc_1"],
  })
    .argument("<id>", "account id")
    .action((id, options) => ask(io, options, (api) => api("POST /accounts/:id/resume", { id }), accountFields));
}

function accountFields(account: AccountAnswer): string {
  return formatFields([
    ["Account", account.id],
    ["Name", account.name],
    ["Status", account.status],
    ["Default sender", orDash(account.defaultSender)],
    ["Countries", countriesText(account.countries)],
    ["Time zone", account.timeZone ?? "default"],
    ["Suppression stops", account.suppression],
    ["Quiet hours", quietHoursText(account)],
    ["Messages are kept", keptText(account.retentionDays)],
    ["Texts are kept", keptText(account.textDays)],
    ["Created", shortTime(account.createdAt)],
    ["Note", orDash(account.note)],
  ]);
}

function accountTable(accounts: readonly AccountAnswer[]): string {
  if (accounts.length === 0) return "There are no accounts yet. Create one: peyk account create --name NAME\n";
  const rows = accounts.map(({ id, name, status, defaultSender, createdAt }) => [
    id,
    name,
    status,
    orDash(defaultSender),
    shortTime(createdAt),
  ]);
  return formatTable(["ACCOUNT", "NAME", "STATUS", "DEFAULT SENDER", "CREATED"], rows);
}
