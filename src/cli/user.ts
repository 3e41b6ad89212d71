/** `peyk user …`: the people who sign in at the console. */

import { roles } from "../domain/roles.ts";
import { pick } from "../fields/field.ts";
import { tokenFields } from "../fields/user-token.ts";
import type { CreatedTokenAnswer, TokenAnswer } from "../operator/user-tokens.ts";
import type { SetupAnswer, UserAnswer } from "../operator/users.ts";
import { calls, lists, must, noun, time, typed, withoutAccountName, wordOf } from "./declared.ts";
import { fieldRows } from "./field-options.ts";
import { formatFields, joinLines, orDash, shortTime, tableOf, yesNo } from "./text.ts";
import { userPasskeyCommand } from "./user-passkey.ts";

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

const ofToken = { id: "token id" };

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
    of: ofToken,
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
    of: ofToken,
    call: (api, given) => api("DELETE /tokens/:id", given),
    text: ({ id, name, user }) => `Token ${id} (${name}) of ${user} is revoked.\n`,
  }),
});

const noPortal = "No portal is served yet: set portal_listen, and the link begins with its address.";

export const linkText = ({ name, role, setup }: SetupAnswer) =>
  joinLines([
    `User ${name} (${role}) chooses a password by this link. It is good once, until ${shortTime(setup.expiresAt)}:`,
    `  ${setup.url ?? setup.path}`,
    ...(setup.url === null ? [noPortal] : []),
  ]);

const userTable = tableOf<UserAnswer>("There are no users. The first owner: peyk user setup-link", {
  NAME: "name",
  ROLE: "role",
  ACCOUNT: "account",
  STATUS: "status",
  "SECOND FACTOR": ({ secondFactor }) => yesNo(secondFactor),
  WAYS: ({ ways }) => orDash(ways.join(", ") || null),
  SINCE: ({ createdAt }) => shortTime(createdAt),
});

const of = { name: "the user's name" };

export const userCommand = noun("user", "people who sign in at the console, each with a role", {
  add: calls({
    does: "add a user, and print the link by which the user chooses a password",
    examples: ["peyk user add sara --role operator", "peyk user add clinic --role customer --account acc_1"],
    of: { name: "small Latin letters, digits and . _ @ + -" },
    options: { role: must(wordOf("role <role>", roles)), account: typed("account <id>", "the account of a customer") },
    call: (api, given) => api("POST /users", given),
    text: linkText,
  }),
  list: lists({
    does: "list users",
    examples: ["peyk user list", "peyk user list --query clinic --limit 100"],
    part: (api, query) => api("GET /users", query),
    whole: withoutAccountName,
    table: userTable,
  }),
  reset: calls({
    does: "end a user's password, second factor and sessions, and print a link for a new password",
    examples: ["peyk user reset sara"],
    of,
    call: (api, given) => api("POST /users/:name/reset", given),
    text: linkText,
  }),
  disable: calls({
    does: "end a user's sessions and let the user in no more, until a reset",
    examples: ["peyk user disable sara"],
    of,
    call: (api, given) => api("POST /users/:name/disable", given),
    text: ({ name }) => `User ${name} is disabled.\n`,
  }),
  "setup-link": calls({
    does: "print the link by which the first owner chooses a password",
    examples: ["peyk user setup-link", "peyk user setup-link --json"],
    call: (api) => api("POST /users/setup-link"),
    text: linkText,
  }),
  "portal-link": calls({
    does: "print a link by which your own site signs a customer in at the portal: good once, for a minute",
    examples: ["peyk user portal-link clinic", "peyk user portal-link clinic --json"],
    of: { name: "the customer's name" },
    call: (api, given) => api("POST /users/:name/portal-link", given),
    text: ({ url, expiresAt }, { name }) =>
      joinLines([`${name} signs in by this link. It is good once, until ${shortTime(expiresAt)}:`, `  ${url}`]),
  }),
  link: calls({
    does: "let a person of the provider of single sign-on sign in as this user",
    examples: ["peyk user link sara --oidc 4f1c9a52-7f0e-4f5e-9d43-0c6f9a1d2b11"],
    of,
    options: {
      subject: must(typed("oidc <subject>", "the provider's own id of the person: sub, never a mail address")),
    },
    call: (api, given) => api("PUT /users/:name/identity", given),
    text: ({ name }) => `User ${name} signs in by the provider, too.\n`,
  }),
  unlink: calls({
    does: "end what link began; a role that the provider gave stays as it is",
    examples: ["peyk user unlink sara"],
    of,
    call: (api, given) => api("DELETE /users/:name/identity", given),
    text: ({ name }) => `User ${name} signs in by no provider any more.\n`,
  }),
  passkey: userPasskeyCommand,
  token: userTokenCommand,
});
