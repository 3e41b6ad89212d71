/** `peyk account …`: the customers that send through this service. */
import { accountFields } from "../fields/account.ts";
import type { FieldTable, ValuesOf } from "../fields/field.ts";
import type { AccountAnswer } from "../operator/answers.ts";
import { errorsCommand } from "./account-errors.ts";
import { balanceCommand, correctCommand, ledgerCommand, topUpCommand } from "./account-money.ts";
import { fieldRows, saidChange, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatKeys } from "./key.ts";
import { askList, listVerb } from "./list.ts";
import { formatSenders } from "./sender.ts";
import { formatFields, formatTable, orDash, shortTime } from "./text.ts";
import { ask, noun, type VerbWords, verb } from "./verb.ts";

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
    .addCommand(ledgerCommand(io))
    .addCommand(errorsCommand(io));
}

function create(io: CliIo) {
  const { name } = accountFields;
  const command = verb("create", { does: "create an account", examples: ['peyk account create --name "City clinic"'] });
  return withNewFields(command, { name }).action((options) => {
    const created = ({ id }: AccountAnswer) =>
      `Account ${id} created. Next:\n  peyk sender add --account ${id} --sender NUMBER\n  peyk key create --account ${id} --name NAME\n`;
    return ask(io, options, (api) => api("POST /accounts", saidNewFields({ name }, options)), created);
  });
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
  const { name, defaultSender, countries } = accountFields;
  return changeVerb(io, "update", words, { name, defaultSender, countries });
}

/** Takes a change to some of the fields. */
const changeVerb = (
  io: CliIo,
  verbName: string,
  words: VerbWords,
  fields: FieldTable & Partial<typeof accountFields>,
) =>
  withFields(verb(verbName, words).argument("<id>", "account id, such as acc_1"), fields).action((id, options) => {
    const change: Partial<ValuesOf<typeof accountFields>> = saidChange(fields, options);
    return ask(io, options, (api) => api("PATCH /accounts/:id", { id, ...change }), accountText);
  });

function set(io: CliIo) {
  const words = {
    does: "set an account's time zone, its quiet hours, what suppression lists stop, how long its messages are kept, and how far its customer may go with keys and credentials",
    examples: [
      "peyk account set acc_1 --time-zone Asia/Tehran",
      "peyk account set acc_1 --time-zone default",
      "peyk account set acc_1 --suppression all_but_otp",
      'peyk account set acc_1 --quiet-hours 22:00-08:00 --quiet-hours "13:00-16:00 Fri"',
      "peyk account set acc_1 --keep-days 30 --keep-texts-days 7",
      "peyk account set acc_1 --max-keys 5 --max-credentials 3 --max-rate 50",
    ],
  };
  const { name: _, defaultSender: __, countries: ___, ...rest } = accountFields;
  return changeVerb(io, "set", words, rest);
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
      ask(io, options, (api) => api("PATCH /accounts/:id", { id, note: text }), accountText),
    );
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
        (account) => `${accountText(account)}\n${formatKeys(account.keys)}\n${formatSenders(account.senders)}`,
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
    .action((id, options) => ask(io, options, (api) => api("POST /accounts/:id/suspend", { id }), accountText));
}

function resume(io: CliIo) {
  return verb("resume", {
    does: "serve a suspended account again and send what it held",
    examples: ["peyk account resume acc_1"],
  })
    .argument("<id>", "account id")
    .action((id, options) => ask(io, options, (api) => api("POST /accounts/:id/resume", { id }), accountText));
}

function accountText(account: AccountAnswer): string {
  return formatFields([
    ["Account", account.id],
    ...fieldRows(accountFields, account),
    ["Status", account.status],
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
