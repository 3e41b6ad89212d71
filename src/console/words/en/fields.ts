/** English: the labels and hints of declared fields, and the words that they are chosen from. */
import { accountFields, keyFields } from "../../../domain/declared-fields.ts";
import type { FieldTable } from "../../../domain/field.ts";

interface FieldWords {
  label: string;
  hint: string;
}

const wordsOf = <Table extends FieldTable>(table: Table) =>
  Object.fromEntries(Object.entries(table).map(([name, { label, hint }]) => [name, { label, hint }])) as {
    [Name in keyof Table]: FieldWords;
  };

const choices = {
  yes: "Yes",
  no: "No",
  bulk: "Bulk only",
  all_but_otp: "All but one-time passwords",
  all: "All",
  "messages:send": "send single, scheduled and batch messages",
  "messages:read": "follow messages",
  "groups:send": "send to approved groups",
  "patterns:send": "send approved patterns",
  "otp:send": "send and verify one-time passwords",
  "inbound:read": "read what phones wrote",
  "webhooks:manage": "register callbacks",
  "senders:read": "list senders",
};

export const enFields = { fields: { key: wordsOf(keyFields), account: wordsOf(accountFields) }, choices };
