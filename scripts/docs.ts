/**
 * Generates the parts of docs/ that come from the source: settings, commands, errors, alert rules, the Grafana
 * dashboard, licences. Run `bun run docs` after changing any of them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { changesNothing, declarationOf, isForPeople, needsPerson, operationNames } from "../src/agents/consequences.ts";
import { inputSchemaOf } from "../src/agents/mcp-tools.ts";
import { processIo } from "../src/cli/io.ts";
import { createProgram } from "../src/cli/program.ts";
import { conditionCodes, conditionRule, conditionTraits, isShownIn } from "../src/conditions/conditions.ts";
import { exampleFile, shapeText, tomlValue } from "../src/config/example.ts";
import { settingEntries } from "../src/config/settings.ts";
import { apiErrors, fieldCodes } from "../src/domain/api-error.ts";
import { messageErrorCodes } from "../src/domain/message.ts";
import { roleMay, roles } from "../src/domain/roles.ts";
import { describeError } from "../src/domain/status.ts";
import { grafanaBoard } from "./board.ts";
import { helpDocuments, llmsFiles } from "./help.ts";
import { thirdPartyText } from "./third-party.ts";

const folder = join(import.meta.dir, "..", "docs");
const made = "<!-- Made by `bun run docs` from the source. Do not edit. -->";

/** A table cell may contain neither a vertical bar nor a line feed. */
const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function configurationPage(): string {
  const sections = Map.groupBy(settingEntries, ({ key }) => (key.includes(".") ? (key.split(".")[0] ?? "") : ""));
  const tables = [...sections].map(([section, entries]) => {
    const rows = entries.map((entry) => [
      `\`${entry.key}\``,
      entry.setting.help,
      shapeText(entry),
      `\`${tomlValue(entry.setting.default)}\``,
      `\`${entry.environment}\``,
    ]);
    const title = section === "" ? "## At the top of the file" : `## \`[${section}]\``;
    return `${title}\n\n${table(["Setting", "What it is for", "Value", "Default", "Environment"], rows)}\n`;
  });
  return `# Configuration

${made}

Every setting has a default that works. A flag wins over the environment, the environment over the file, the file over the default.

The file is TOML. It is the one named by \`--config\` or \`PEYK_CONFIG\`, else \`peyk.toml\` in the data folder, else \`/etc/peyk/peyk.toml\`.
In the environment lists are separated by commas. A mistyped key stops the start, and the message names the nearest key.

\`\`\`sh
peyk config example              # a file with every key, commented out
peyk config check                # is what is here good?
peyk config show --origin        # every value, and where it comes from
\`\`\`

Changed settings count from the next start. The files of \`tls.cert_file\` and \`tls.key_file\` are also read again at \`systemctl reload peyk\` (SIGHUP).
Accounts, keys, senders and routes are no settings: the [command line](cli.md) changes them while Peyk runs.

${tables.join("\n")}
## The whole file

\`\`\`toml
${exampleFile().trimEnd()}
\`\`\`
`;
}

/** The output of `--help`, at a fixed width rather than the terminal's. */
function helpOf(command: CommandUnknownOpts): string {
  let text = "";
  command.configureHelp({ helpWidth: 100, showGlobalOptions: false });
  command.configureOutput({
    writeOut: (part) => (text += part),
    getOutHelpWidth: () => 100,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trimEnd();
}

function commandsOf(
  command: CommandUnknownOpts,
  path: readonly string[],
): { path: readonly string[]; command: CommandUnknownOpts }[] {
  // Hidden settings are for the service itself.
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((sub) => {
      if (sub.name() === "help") return [];
      const own = [...path, sub.name()];
      return sub.commands.length === 0 ? [{ path: own, command: sub }] : commandsOf(sub, own);
    });
}

function cliPage(): string {
  const program = createProgram(processIo);
  const verbs = commandsOf(program, ["peyk"]);
  const list = verbs.map(({ path, command }) => [`[\`${path.join(" ")}\`](#${path.join("-")})`, command.description()]);
  const pages = verbs.map(({ path, command }) => {
    const help = helpOf(command);
    return `## ${path.join(" ")}\n\n\`\`\`text\n${help}\n\`\`\`\n`;
  });
  return `# Command line

${made}

The commands talk to the running service over the socket in its data folder, and take effect at once. Who may open the socket may do everything;
root finds the installed service by itself.

- \`--json\` prints one object or array, for scripts.
- Exit codes: 0 done, 1 refused or failed, 2 called wrongly.
- Secrets never go on the command line: they are read from files or from stdin.

${table(["Command", "What it does"], list)}

${pages.join("\n")}`;
}

function errorsPage(): string {
  const codes = Object.entries(apiErrors).map(([code, { status, meaning }]) => [
    `\`${code}\``,
    String(status),
    meaning,
  ]);
  const failures = messageErrorCodes.map((code) => [`\`${code}\``, describeError(code)]);
  return `# Errors

${made}

## Refused requests

Every refusal has the same shape. \`code\` is stable; \`message\` is for people and may change. Say the \`correlationId\` when you ask your operator.

\`\`\`json
{
  "code": "validation_failed",
  "message": "One or more fields are wrong; \`errors\` names each.",
  "correlationId": "7d6f1c1e-8f0b-4a39-9a0c-0f6d3f6b8a51",
  "errors": [{ "field": "messages[3].recipient", "code": "invalid_phone_number", "message": "…" }]
}
\`\`\`

Retry 429 and 503 after \`Retry-After\` seconds, with the same Idempotency-Key. Retrying any other 4xx unchanged changes nothing.

${table(["Code", "Status", "Meaning"], codes)}

In \`errors\` the code of a field is one of: ${fieldCodes.map((code) => `\`${code}\``).join(", ")}.

## Failed messages

A message whose status is \`failed\` says why in \`error.code\`. Whether to send again is yours to decide; Peyk has already tried as often as makes sense.

${table(["Code", "Meaning"], failures)}
`;
}

/** The conditions that metrics can express, and whether the service responds at all. */
function alertRules(): string {
  const rules = conditionCodes.flatMap((code) => {
    const rule = isShownIn("alert", code) ? conditionRule(code) : null;
    return rule === null ? [] : [{ name: code, ...conditionTraits(code), ...rule }];
  });
  const down = { name: "Down", severity: "page", holdMs: 60_000, expr: 'up{job="peyk"} == 0' };
  const gone = { ...down, says: "Peyk does not answer", todo: "systemctl status peyk; journalctl -u peyk -n 50" };
  const written = [gone, ...rules].map(
    ({ name, severity, holdMs, expr, says, todo }) => `      - alert: Peyk${name}
        expr: |
${expr.replaceAll(/^/gm, "          ")}
${holdMs === 0 ? "" : `        for: ${holdMs / 60_000}m\n`}        labels: { severity: ${severity} }
        annotations:
          summary: ${JSON.stringify(says)}
          do: ${JSON.stringify(todo)}
`,
  );
  return `# Made by \`bun run docs\` from src/conditions/. Example alert rules for Prometheus.
# Scrape http://127.0.0.1:8081/metrics under the job "peyk"; see alerts.md.
groups:
  - name: peyk
    rules:
${written.join("")}`;
}

/** What a token opens, by the declarations of the operations. */
function operatorApiPage(): string {
  const rows = operationNames.flatMap((name) => {
    const declared = declarationOf(name);
    if (declared === undefined || isForPeople(declared)) return [];
    const who = roles.filter((role) => roleMay(role, declared.may)).join(", ");
    const change = changesNothing(declared) ? "" : needsPerson(name) ? "asks a person" : "at once";
    const { properties, required = [] } = inputSchemaOf(name);
    const fields = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`));
    return [[`\`${name}\``, who, change, fields.map((field) => `\`${field}\``).join(" ")]];
  });
  return `# The operator's API

${made}

What the commands and the console call, for scripts of people who run Peyk: under \`/api\` of the console's listener, with a [token of a user](agents.md#tokens).
Customers' systems use the [API for customers](api-rules.md), which promises more: the operator's may change between releases, and the changelog says how.

\`\`\`sh
peyk user token create sara --name script --expires 2027-03-21
curl -H "Authorization: Bearer $TOKEN" https://console.example.com/api/accounts
curl -H "Authorization: Bearer $TOKEN" https://console.example.com/api/openapi.json    # what this token may, as OpenAPI 3.1
\`\`\`

- The token is taken from the header alone, never from the address or a cookie. A wrong one is 401; after 60 wrong ones a minute from one network it is 429. Requests from
  pages of other sites are 403, and under another host name than \`console.url\` or this machine's own 421.
- Fields of a GET or DELETE are in the query, others in a JSON body of at most 1 MB; files of imports are the body itself. At most eight requests of a user, or of all users of a
  customer together, are under way at once, and more are 429. They may take a quarter of a second of the service's time at once, and then a twenty-fifth of the time, which is about eight requests a second:
  others wait for their turn.
- A refusal is \`{"code", "message", "problems"}\`. What an operation takes is in the table; \`?\`: may be left out.
- *asks a person*: it is answered with 202, what it would do and \`confirmAt\`, where the token's user or an owner confirms it, signed in.
  \`GET /api/confirmations/ID\` tells what became of it. An owner can free a token of that, operation by operation: \`peyk user token free\`.
- Texts and numbers are masked unless the token may read them; downloads need that, too. Files are only taken by a token that was freed of confirmation for them.
- No token adds users or tokens, or confirms anything.

${table(["Operation", "Roles", "Changes", "Fields"], rows)}
`;
}

/** Every generated page by its name in docs/. */
export function pages(): Readonly<Record<string, () => string | Promise<string>>> {
  return {
    "configuration.md": configurationPage,
    "cli.md": cliPage,
    "errors.md": errorsPage,
    "operator-api.md": operatorApiPage,
    "alerts.rules.yml": alertRules,
    "grafana/peyk.json": grafanaBoard,
    "../src/console/places/help/documents.ts": helpDocuments,
    "third-party.txt": thirdPartyText,
    "../llms.txt": llmsFiles["llms.txt"],
    "../llms-full.txt": llmsFiles["llms-full.txt"],
  };
}

/** The current content of the page in docs/; null if there is none. */
export function standing(name: string): string | null {
  return processIo.readFile(join(folder, name));
}

if (import.meta.main) {
  mkdirSync(join(folder, "grafana"), { recursive: true });
  for (const [name, page] of Object.entries(pages())) {
    const content = await page();
    if (standing(name) === content) continue;
    writeFileSync(join(folder, name), content);
    console.log(`wrote docs/${name}`);
  }
}
