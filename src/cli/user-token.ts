/** `peyk user token …`: by which users' programs and agents act for them. */

import { pick } from "../fields/field.ts";
import { tokenFields } from "../fields/user-token.ts";
import type { CreatedTokenAnswer, TokenAnswer } from "../operator/user-tokens.ts";
import { fieldRows, saidFields, withFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable, shortTime } from "./text.ts";
import { timeHelp, timeText } from "./time.ts";
import { collect, isOnly } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

const { name: _, expiresAt: __, ...optional } = tokenFields;

export function userTokenCommand(io: CliIo) {
  return noun("token", "tokens by which users' programs and agents act for them")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(free(io))
    .addCommand(revoke(io));
}

function create(io: CliIo) {
  const words = {
    does: "create a token; it is shown only once",
    examples: [
      "peyk user token create sara --name claude --expires 2027-03-21 --operation reads",
      'peyk user token create sara --name nightly --expires 2027-03-21 --operation "POST /messages" --free "POST /messages"',
    ],
  };
  const command = verb("create", words)
    .argument("<user>", "the user's name")
    .requiredOption("--name <name>", "which program uses it")
    .requiredOption("--expires <date>", `when it ends, within a year: ${timeHelp}`);
  return withFields(command, optional).action((user, { name, expires, ...options }) => {
    const input = { user, name, expiresAt: timeText("--expires", expires), ...saidFields(optional, options) };
    return ask(io, options, (api) => api("POST /tokens", input), createdText);
  });
}

function list(io: CliIo) {
  const words = { does: "list tokens", examples: ["peyk user token list", "peyk user token list --user sara"] };
  return verb("list", words)
    .option("--user <name>", "only this user's")
    .action(({ user, ...options }) => ask(io, options, (api) => api("GET /tokens", { user }), tokenTable));
}

function free(io: CliIo) {
  const words = {
    does: "say what a token does without a person's confirmation although it costs or deletes",
    examples: [
      'peyk user token free tok_3 --operation "POST /messages"',
      "peyk user token free tok_3 --operation none",
    ],
  };
  return verb("free", words)
    .argument("<id>", "token id")
    .requiredOption("--operation <operation>", "may be repeated; none: it asks for everything again", collect)
    .action((id, { operation, ...options }) => {
      const freed = isOnly(operation, "none") ? [] : operation;
      return ask(io, options, (api) => api("PUT /tokens/:id/freed", { id, freed }), tokenText);
    });
}

function revoke(io: CliIo) {
  const words = { does: "revoke a token at once and for ever", examples: ["peyk user token revoke tok_3"] };
  return verb("revoke", words)
    .argument("<id>", "token id")
    .action((id, options) =>
      ask(
        io,
        options,
        (api) => api("DELETE /tokens/:id", { id }),
        (token) => `Token ${token.id} (${token.name}) of ${token.user} is revoked.\n`,
      ),
    );
}

const tokenText = (token: TokenAnswer) =>
  formatFields([["Token", token.id], ["User", token.user], ...fieldRows(pick(tokenFields, ...fieldNames), token)]);

const fieldNames = ["name", "role", "expiresAt", "allowFrom", "operations", "readsTexts", "freed"] as const;

const createdText = (created: CreatedTokenAnswer) =>
  `${tokenText(created)}\n${created.token}\n\nThis is the only time that the token is shown. Keep it safe.\n`;

function tokenTable(tokens: readonly TokenAnswer[]): string {
  if (tokens.length === 0)
    return "There are no tokens. Create one: peyk user token create USER --name NAME --expires DATE\n";
  const rows = tokens.map(({ id, user, name, role, status, expiresAt, lastUsedAt }) => [
    id,
    user,
    name,
    role,
    status,
    shortTime(expiresAt),
    shortTime(lastUsedAt),
  ]);
  return formatTable(["TOKEN", "USER", "NAME", "ROLE", "STATUS", "EXPIRES", "LAST USED"], rows);
}
