/** `peyk user token …`: by which users' programs and agents act for them. */

import { pick } from "../fields/field.ts";
import { tokenFields } from "../fields/user-token.ts";
import type { CreatedTokenAnswer, TokenAnswer } from "../operator/user-tokens.ts";
import { calls, must, noun, time, typed } from "./declared.ts";
import { fieldRows } from "./field-options.ts";
import { formatFields, shortTime, tableOf } from "./text.ts";

const { name: _, expiresAt: __, ...optional } = tokenFields;

const tokenText = (token: TokenAnswer) =>
  formatFields([["Token", token.id], ["User", token.user], ...fieldRows(pick(tokenFields, ...fieldNames), token)]);

const fieldNames = ["name", "role", "expiresAt", "allowFrom", "operations", "readsTexts", "freed"] as const;

const createdText = (created: CreatedTokenAnswer) =>
  `${tokenText(created)}\n${created.token}\n\nThis is the only time that the token is shown. Keep it safe.\n`;

const tokenTable = tableOf<TokenAnswer>(
  "There are no tokens. Create one: peyk user token create USER --name NAME --expires DATE",
  {
    TOKEN: "id",
    USER: "user",
    NAME: "name",
    ROLE: "role",
    STATUS: "status",
    EXPIRES: ({ expiresAt }) => shortTime(expiresAt),
    "LAST USED": ({ lastUsedAt }) => shortTime(lastUsedAt),
  },
);

const of = { id: "token id" };

export const userTokenCommand = noun("token", "tokens by which users' programs and agents act for them", {
  create: calls({
    does: "create a token; it is shown only once",
    examples: [
      "peyk user token create sara --name claude --expires 2027-03-21 --operation reads",
      'peyk user token create sara --name nightly --expires 2027-03-21 --operation "POST /messages" --free "POST /messages"',
    ],
    of: { user: "the user's name" },
    options: {
      name: must(typed("name <name>", "which program uses it")),
      expiresAt: must(time("expires <date>", "when it ends, within a year: date")),
      ...optional,
    },
    call: (api, given) => api("POST /tokens", given),
    text: createdText,
  }),
  list: calls({
    does: "list tokens",
    examples: ["peyk user token list", "peyk user token list --user sara"],
    options: { user: typed("user <name>", "only this user's") },
    call: (api, given) => api("GET /tokens", given),
    text: tokenTable,
  }),
  free: calls({
    does: "say what a token does without a person's confirmation although it costs or deletes",
    examples: [
      'peyk user token free tok_3 --operation "POST /messages"',
      "peyk user token free tok_3 --operation none",
    ],
    of,
    options: {
      freed: must({
        ...tokenFields.freed,
        option: "operation <operation>",
        help: "may be repeated; none: it asks for everything again",
      }),
    },
    call: (api, given) => api("PUT /tokens/:id/freed", given),
    text: tokenText,
  }),
  revoke: calls({
    does: "revoke a token at once and for ever",
    examples: ["peyk user token revoke tok_3"],
    of,
    call: (api, given) => api("DELETE /tokens/:id", given),
    text: ({ id, name, user }) => `Token ${id} (${name}) of ${user} is revoked.\n`,
  }),
});
