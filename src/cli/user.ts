/** `peyk user …`: the people who sign in at the console. */
import { type Role, roles } from "../domain/roles.ts";
import type { SetupAnswer, UserAnswer } from "../operator/users.ts";
import type { CliIo } from "./io.ts";
import { askList, listVerb } from "./list.ts";
import { formatTable, joinLines, orDash, shortTime, yesNo } from "./text.ts";
import { userTokenCommand } from "./user-token.ts";
import { oneWordOf } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function userCommand(io: CliIo) {
  return noun("user", "people who sign in at the console, each with a role")
    .addCommand(add(io))
    .addCommand(list(io))
    .addCommand(reset(io))
    .addCommand(disable(io))
    .addCommand(setupLink(io))
    .addCommand(portalLink(io))
    .addCommand(userTokenCommand(io));
}

function add(io: CliIo) {
  const words = {
    does: "add a user, and print the link by which the user chooses a password",
    examples: ["peyk user add sara --role operator", "peyk user add clinic --role customer --account acc_1"],
  };
  return verb("add", words)
    .argument("<name>", "small Latin letters, digits and . _ @ + -")
    .requiredOption("--role <role>", roles.join(", "))
    .option("--account <id>", "the account of a customer")
    .action((name, { role, account, ...options }) => {
      const input = { name, role: oneWordOf<Role>("--role", roles, role), account };
      return ask(io, options, (api) => api("POST /users", input), linkText);
    });
}

function list(io: CliIo) {
  const words = { does: "list users", examples: ["peyk user list", "peyk user list --query clinic --limit 100"] };
  return listVerb(words).action((options) =>
    askList(io, options, {
      part: (api, query) => api("GET /users", query),
      whole: ({ accountName: _, ...row }) => row,
      table: userTable,
    }),
  );
}

function reset(io: CliIo) {
  const words = {
    does: "end a user's password, second factor and sessions, and print a link for a new password",
    examples: ["peyk user reset sara"],
  };
  return verb("reset", words)
    .argument("<name>", "the user's name")
    .action((name, options) => ask(io, options, (api) => api("POST /users/:name/reset", { name }), linkText));
}

function disable(io: CliIo) {
  const words = {
    does: "end a user's sessions and let the user in no more, until a reset",
    examples: ["peyk user disable sara"],
  };
  return verb("disable", words)
    .argument("<name>", "the user's name")
    .action((name, options) =>
      ask(
        io,
        options,
        (api) => api("POST /users/:name/disable", { name }),
        (user) => `User ${user.name} is disabled.\n`,
      ),
    );
}

function setupLink(io: CliIo) {
  const words = {
    does: "print the link by which the first owner chooses a password",
    examples: ["peyk user setup-link", "peyk user setup-link --json"],
  };
  return verb("setup-link", words).action((options) =>
    ask(io, options, (api) => api("POST /users/setup-link"), linkText),
  );
}

function portalLink(io: CliIo) {
  const words = {
    does: "print a link by which your own site signs a customer in at the portal: good once, for a minute",
    examples: ["peyk user portal-link clinic", "peyk user portal-link clinic --json"],
  };
  return verb("portal-link", words)
    .argument("<name>", "the customer's name")
    .action((name, options) =>
      ask(
        io,
        options,
        (api) => api("POST /users/:name/portal-link", { name }),
        ({ url, expiresAt }) =>
          joinLines([`${name} signs in by this link. It is good once, until ${shortTime(expiresAt)}:`, `  ${url}`]),
      ),
    );
}

const noPortal = "No portal is served yet: set portal_listen, and the link begins with its address.";

export const linkText = ({ name, role, setup }: SetupAnswer) =>
  joinLines([
    `User ${name} (${role}) chooses a password by this link. It is good once, until ${shortTime(setup.expiresAt)}:`,
    `  ${setup.url ?? setup.path}`,
    ...(setup.url === null ? [noPortal] : []),
  ]);

function userTable(users: readonly UserAnswer[]): string {
  if (users.length === 0) return "There are no users. The first owner: peyk user setup-link\n";
  const rows = users.map(({ name, role, account, status, secondFactor, createdAt }) => [
    name,
    role,
    orDash(account),
    status,
    yesNo(secondFactor),
    shortTime(createdAt),
  ]);
  return formatTable(["NAME", "ROLE", "ACCOUNT", "STATUS", "SECOND FACTOR", "SINCE"], rows);
}
