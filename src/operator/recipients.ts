/** Recipients who ask what is known of their number, or that it be erased. */
import { Elysia, t } from "elysia";
import type { RecipientRecord } from "../messaging/privacy/recipient-record.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText } from "./ids.ts";
import { addressSchema } from "./schemas.ts";

export type RecipientAnswer = ReturnType<typeof recipientAnswer>;

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

/** The number stands in the body, so that no log and no entry of the audit names it. */
const numberSchema = t.Object({ number: addressSchema });

export function recipientRoutes({ privacy }: OperatorDeps) {
  return new Elysia({ prefix: "/recipients" })
    .post("/export", async ({ body: { number } }) => recipientAnswer(await privacy.export(number)), {
      body: numberSchema,
    })
    .post("/erase", ({ body: { number, rewrite } }) => privacy.erase(number, rewrite), {
      body: t.Object({ number: addressSchema, rewrite: t.Optional(t.Boolean()) }),
    });
}
