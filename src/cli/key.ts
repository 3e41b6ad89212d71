/** `peyk key …`: the API keys with which an account's systems authenticate. */

import { counted } from "../domain/counted.ts";
import { fieldText } from "../fields/field.ts";
import { keyFields, newKeyFields, renewalFields, revocationFields } from "../fields/key.ts";
import type { KeyAnswer } from "../operator/answers.ts";
import type { IssuedKeyAnswer, RevokedKeyAnswer } from "../operator/keys.ts";
import { calls, lists, noun, ofOneAccount } from "./declared.ts";
import { fieldRows } from "./field-options.ts";
import { formatFields, joinLines, shortTime, tableOf } from "./text.ts";

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

export const formatKeys = tableOf<KeyAnswer>(
  "There are no keys. Create one: peyk key create --account ID --name NAME",
  {
    KEY: "id",
    ACCOUNT: "account",
    NAME: "name",
    STATUS: ({ test, status }) => (test ? `${status}, test` : status),
    RATE: ({ rate }) => fieldText(keyFields.rate, rate),
    EXPIRES: ({ expiresAt }) => shortTime(expiresAt),
    PERMISSIONS: (key) => fieldText(keyFields.permissions, key.permissions),
  },
);

const of = { id: "key id" };

export const keyCommand = noun("key", "API keys of accounts", {
  create: calls({
    does: "create a key; it is shown only once",
    examples: [
      "peyk key create --account acc_1 --name backend",
      "peyk key create --account acc_1 --name report --permission messages:read --expires 2027-01-31 --json",
    ],
    options: newKeyFields,
    call: (api, given) => api("POST /keys", given),
    text: issuedText,
  }),
  list: lists({
    does: "list keys",
    examples: ["peyk key list --account acc_1", "peyk key list --query backend --limit 100"],
    options: ofOneAccount,
    part: (api, query) => api("GET /keys", query),
    table: formatKeys,
  }),
  show: calls({
    does: "show a key, without its secret",
    examples: ["peyk key show key_7"],
    of,
    call: (api, given) => api("GET /keys/:id", given),
    text: keyText,
  }),
  update: calls({
    does: "change a key's rate, permissions, end or addresses; its secret stays",
    examples: [
      "peyk key update key_7 --rate 600 --expires 2027-01-31",
      "peyk key update key_7 --allow-from 203.0.113.0/24,2001:db8::/32",
      "peyk key update key_7 --permission all --rate default --expires never --allow-from anywhere",
    ],
    of,
    changes: keyFields,
    call: (api, given) => api("PATCH /keys/:id", given),
    text: keyText,
  }),
  rotate: calls({
    does: "give a key a new secret; the old one works for a grace time, and idempotency keys stay known",
    examples: ["peyk key rotate key_7", "peyk key rotate key_7 --grace 0    (the old secret stops working now)"],
    of: { id: "key id, such as key_7" },
    options: renewalFields,
    call: (api, given) => api("POST /keys/:id/rotate", given),
    text: issuedText,
  }),
  revoke: calls({
    does: "revoke a key at once and for ever",
    examples: [
      "peyk key revoke key_7",
      "peyk key revoke key_7 --cancel-waiting    (it leaked: what it sent must not go out)",
    ],
    of,
    options: revocationFields,
    call: (api, given) => api("POST /keys/:id/revoke", given),
    text: revokedText,
  }),
});
