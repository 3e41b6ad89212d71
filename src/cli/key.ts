/** `peyk key …`: the API keys with which an account's systems authenticate. */

import { counted } from "../domain/counted.ts";
import { fieldText } from "../fields/field.ts";
import { keyFields, newKeyFields, renewalFields, revocationFields } from "../fields/key.ts";
import type { KeyAnswer } from "../operator/answers.ts";
import type { IssuedKeyAnswer, RevokedKeyAnswer } from "../operator/keys.ts";
import { fieldRows, saidChange, saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { ownedListVerb } from "./list.ts";
import { formatFields, formatTable, joinLines, shortTime } from "./text.ts";
import { ask, noun, verb } from "./verb.ts";

export function keyCommand(io: CliIo) {
  return noun("key", "API keys of accounts")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(update(io))
    .addCommand(rotate(io))
    .addCommand(revoke(io));
}

function create(io: CliIo) {
  const words = {
    does: "create a key; it is shown only once",
    examples: [
      "peyk key create --account acc_1 --name backend",
      "peyk key create --account acc_1 --name report --permission messages:read --expires 2027-01-31 --json",
    ],
  };
  return withNewFields(verb("create", words), newKeyFields).action((options) => {
    const input = saidNewFields(newKeyFields, options);
    return ask(io, options, (api) => api("POST /keys", input), issuedText);
  });
}

function update(io: CliIo) {
  const words = {
    does: "change a key's rate, permissions, end or addresses; its secret stays",
    examples: [
      "peyk key update key_7 --rate 600 --expires 2027-01-31",
      "peyk key update key_7 --allow-from 203.0.113.0/24,2001:db8::/32",
      "peyk key update key_7 --permission all --rate default --expires never --allow-from anywhere",
    ],
  };
  return withFields(verb("update", words).argument("<id>", "key id"), keyFields).action((id, options) => {
    const change = saidChange(keyFields, options);
    return ask(io, options, (api) => api("PATCH /keys/:id", { id, ...change }), keyText);
  });
}

function list(io: CliIo) {
  const examples = ["peyk key list --account acc_1", "peyk key list --query backend --limit 100"];
  return ownedListVerb(
    io,
    { does: "list keys", examples },
    {
      part: (api, query) => api("GET /keys", query),
      whole: (row) => row,
      table: formatKeys,
    },
  );
}

function show(io: CliIo) {
  return verb("show", { does: "show a key, without its secret", examples: ["peyk key show key_7"] })
    .argument("<id>", "key id")
    .action((id, options) => ask(io, options, (api) => api("GET /keys/:id", { id }), keyText));
}

function rotate(io: CliIo) {
  const words = {
    does: "give a key a new secret; the old one works for a grace time, and idempotency keys stay known",
    examples: ["peyk key rotate key_7", "peyk key rotate key_7 --grace 0    (the old secret stops working now)"],
  };
  const command = verb("rotate", words).argument("<id>", "key id, such as key_7");
  return withFields(command, renewalFields).action((id, options) => {
    const renewal = saidFields(renewalFields, options);
    return ask(io, options, (api) => api("POST /keys/:id/rotate", { id, ...renewal }), issuedText);
  });
}

function revoke(io: CliIo) {
  const words = {
    does: "revoke a key at once and for ever",
    examples: [
      "peyk key revoke key_7",
      "peyk key revoke key_7 --cancel-waiting    (it leaked: what it sent must not go out)",
    ],
  };
  return withFields(verb("revoke", words).argument("<id>", "key id"), revocationFields).action((id, options) => {
    const revocation = saidFields(revocationFields, options);
    return ask(io, options, (api) => api("POST /keys/:id/revoke", { id, ...revocation }), revokedText);
  });
}

function revokedText({ waiting, ...key }: RevokedKeyAnswer): string {
  if (waiting === null) return keyText(key);
  const { cancelled, unattributed } = waiting;
  const done = `${counted(cancelled, "waiting message")} cancelled.`;
  if (unattributed === 0) return `${keyText(key)}\n${joinLines([done])}`;
  const rest = [
    `Of ${counted(unattributed, "more waiting message")} of the account it is not known which key they came with: they are older than Peyk's`,
    `record of it. Look: peyk message search --account ${key.account} --status queued`,
  ];
  return `${keyText(key)}\n${joinLines([done, ...rest])}`;
}

function issuedText(issued: IssuedKeyAnswer): string {
  return `${keyText(issued)}\n${issued.apiKey}\n\nThis is the only time that the key is shown. Keep it safe.\n`;
}

function keyText(key: KeyAnswer): string {
  return formatFields([
    ["Key", key.id],
    ["Account", key.account],
    ...(key.test ? [["For", "tests: the simulator takes its messages"] as const] : []),
    ...fieldRows(keyFields, key),
    ["Status", key.status],
    ["Old secret until", shortTime(key.previousSecretUntil)],
  ]);
}

export function formatKeys(keys: readonly KeyAnswer[]): string {
  if (keys.length === 0) return "There are no keys. Create one: peyk key create --account ID --name NAME\n";
  const rows = keys.map((key) => [
    key.id,
    key.account,
    key.name,
    key.test ? `${key.status}, test` : key.status,
    fieldText(keyFields.rate, key.rate),
    shortTime(key.expiresAt),
    fieldText(keyFields.permissions, key.permissions),
  ]);
  return formatTable(["KEY", "ACCOUNT", "NAME", "STATUS", "RATE", "EXPIRES", "PERMISSIONS"], rows);
}
