/** For recipients who ask what is stored about their number, or want it erased. */
import { Type as t } from "@sinclair/typebox";
import type { RecipientRecord } from "../messaging/privacy/recipient-record.ts";
import { addressSchema } from "./field-schema.ts";
import { accountIdText } from "./ids.ts";
import { changes } from "./operation.ts";

function recipientAnswer({ messages, suppressions, ...record }: RecipientRecord) {
  return {
    ...record,
    messages: messages.map((message) => ({ ...message, account: accountIdText(message.account) })),
    suppressions: suppressions.map((entry) => ({
      ...entry,
      /** Null: on the list of all accounts. */
      account: entry.account === null ? null : accountIdText(entry.account),
    })),
  };
}

/** The number is in the body, so that neither a log nor an audit entry contains it. */
export const recipientAdmin = {
  "POST /recipients/export": changes({
    may: "system.change",
    input: { number: addressSchema },
    run: async ({ privacy }, { number }) => recipientAnswer(await privacy.export(number)),
    audit: {
      action: "recipient.export",
      target: () => "recipient",
      told: (_, { messages, inbound }) => ({ messages: messages.length, inbound: inbound.length }),
    },
  }),
  "POST /recipients/erase": changes({
    may: "system.change",
    input: { number: addressSchema, rewrite: t.Optional(t.Boolean()) },
    run: ({ privacy }, { number, rewrite }) => privacy.erase(number, rewrite),
    audit: { action: "recipient.erase", target: () => "recipient", told: (_, answer) => ({ ...answer }) },
  }),
};
