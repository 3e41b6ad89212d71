/**
 * `peyk import kannel`: turns a Kannel's routes, plans, senders and users into Peyk's, and lists by line what cannot be
 * carried over.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { isIpOrCidr } from "../domain/address-ranges.ts";
import { counted } from "../domain/counted.ts";
import { regions } from "../domain/phone-number.ts";
import type { OperatorClient } from "../operator/client.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { noun } from "./declared.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { importedPlan, type KannelFiles, readKannelConfig } from "./kannel/kannel-config.ts";
import type { KannelImport } from "./kannel/kannel-import.ts";
import { formatTable, joinLines, orDash } from "./text.ts";
import { collect } from "./values.ts";
import { connect, print, verb } from "./verb.ts";

export const importCommand = noun("import", "what other SMS services have, brought over", { kannel });

function kannel(io: CliIo) {
  const words = {
    does: "bring over the configuration of a Kannel: routes (disabled), prefixes, senders, users with their passwords",
    examples: [
      "peyk import kannel /etc/kannel/kannel.conf --dry-run",
      "peyk import kannel /etc/kannel/kannel.conf --account acc_1 --traffic bulk",
      "peyk import kannel /etc/kannel/kannel.conf --account acc_1 --traffic single --keep-passwords",
      "peyk import kannel /etc/kannel/kannel.conf --account acc_1 --traffic single --keep-passwords --allow-from 10.0.0.0/8",
    ],
  };
  return verb("kannel", words)
    .argument("<file>", "kannel.conf; the files that it includes are read, too")
    .option("--dry-run", "show what would be made and what would not; nothing is asked or changed")
    .option("--account <id>", "the account that gets the senders and users")
    .option("--traffic <traffic>", "bulk or single: which its users' messages are")
    .option("--keep-passwords", "take passwords of under twelve characters, too, for users with addresses")
    .option(
      "--allow-from <range>",
      "the addresses of users with such a password that have none: 10.0.0.0/8; may be repeated",
      collect,
    )
    .option("--region <code>", "the country of prefixes that begin with 0 (default: IR)")
    .action(async (file, { dryRun, account, traffic, keepPasswords, allowFrom = [], region = "IR", ...options }) => {
      if (!regions.some((known) => known === region))
        throw new UsageError(`--region must be a country code, not "${region}".`);
      // Checking routes needs the carriers' code, which no other command does.
      const { importOf } = await import("./kannel/kannel-import.ts");
      const read = importOf(readKannelConfig(file, filesOf(io)), {
        region,
        keepsWeakPasswords: keepPasswords === true,
        allowFrom: rangesOf(allowFrom, keepPasswords === true),
      });
      if (dryRun === true) return print(io, options, shown(read), importText);
      if (account === undefined || traffic === undefined)
        throw new UsageError("Give --account and --traffic; or --dry-run, to see what would be made.");
      const kind = (["bulk", "single"] as const).find((one) => one === traffic);
      if (kind === undefined) throw new UsageError(`--traffic must be bulk or single, not "${traffic}".`);
      const made = await makeAll(connect(io, options), read, { account, traffic: kind });
      print(io, options, { ...shown(read), made }, (all) => `${importText(all)}\n${joinLines(made)}`);
    });
}

/** @throws UsageError */
function rangesOf(ranges: readonly string[], keepsPasswords: boolean): readonly string[] {
  if (ranges.length > 0 && !keepsPasswords) throw new UsageError("--allow-from wants --keep-passwords.");
  const wrong = ranges.find((range) => !isIpOrCidr(range) || range.endsWith("/0"));
  if (wrong === undefined) return ranges;
  throw new UsageError(`--allow-from must be an address or a range such as 10.0.0.0/8, not "${wrong}".`);
}

/** The same files as the user who runs the command may read. */
const filesOf = (io: CliIo): KannelFiles => ({
  read(path) {
    try {
      return io.readFile(path);
    } catch (reason) {
      throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
    }
  },
  list(path) {
    try {
      return readdirSync(path);
    } catch (reason) {
      if (["ENOENT", "ENOTDIR"].includes(errorCode(reason))) return null;
      throw new CommandFailed("file_unreadable", `${path} cannot be read: ${fileFailure(reason)}.`);
    }
  },
});

/** Without passwords. */
function shown({ routes, rules, senders, users, forwards, settings, remarks }: KannelImport) {
  return {
    routes: routes.map(({ name, kind, file, line }) => {
      const { password: _, ...rest } = file;
      return { name, kind, line, options: rest };
    }),
    rules,
    senders,
    users: users.map(({ username, line, allowFrom, sender, path, password }) => ({
      username,
      line,
      allowFrom,
      sender,
      path,
      weakPassword: password.length < 12,
    })),
    forwards,
    settings,
    remarks,
  };
}

type Shown = ReturnType<typeof shown>;

function importText({ routes, rules, senders, users, forwards, settings, remarks }: Shown): string {
  const section = (title: string, head: string[], rows: string[][]) =>
    rows.length === 0 ? "" : `${title}\n${formatTable(head, rows)}\n`;
  return [
    section(
      "Routes, disabled until you enable them",
      ["LINE", "ROUTE", "KIND", "TO"],
      routes.map(({ line, name, kind, options }) => [
        String(line),
        name,
        kind,
        String(Reflect.get(options, "host") ?? Reflect.get(options, "url")),
      ]),
    ),
    section(
      `Rules of the plan ${importedPlan}`,
      ["NUMBERS", "ROUTES"],
      rules.map((rule) => [rule.ranges.join(", ") || "all others", rule.routes.join(", ")]),
    ),
    section(
      "Senders",
      ["SENDER", "ROUTES"],
      senders.map((one) => [one.sender, one.routes.join(", ") || (rules.length > 0 ? "by the plan" : "-")]),
    ),
    section(
      "Users, as keys with credentials of the kind kannel",
      ["LINE", "USER", "FROM", "SENDER", "PATH", "PASSWORD"],
      users.map((one) => [
        String(one.line),
        one.username,
        one.allowFrom.join(", ") || "anywhere",
        orDash(one.sender),
        orDash(one.path),
        one.weakPassword ? "WEAK" : "ok",
      ]),
    ),
    section(
      "Texts that went to a URL",
      ["LINE", "METHOD", "URL"],
      forwards.map((one) => [String(one.line), one.method, withoutQuery(one.url)]),
    ),
    section(
      "Settings to make by hand",
      ["IN peyk.toml"],
      settings.map((one) => [one]),
    ),
    section(
      "Not brought over",
      ["LINE", "KEY", "WHY"],
      remarks.map((one) => [placeOf(one), one.key, one.words]),
    ),
    "Messages that wait in Kannel stay there: let it send them, and take their receipts, before you stop it.\n",
  ].join("");
}

/** It may contain a password. */
const withoutQuery = (url: string) => url.split("?", 1)[0] ?? "";

const placeOf = ({ file, line }: { file: string; line: number }) => `${file === "" ? "" : `${basename(file)}:`}${line}`;

interface MakeOptions {
  account: string;
  traffic: "bulk" | "single";
}

/** In order of dependency. Whatever exists already is left unchanged, so that the import can be run again. */
async function makeAll(api: OperatorClient, read: KannelImport, { account, traffic }: MakeOptions): Promise<string[]> {
  const made: string[] = [];
  const make = async (what: string, request: () => Promise<unknown>, there: readonly string[]) => {
    try {
      await request();
      made.push(`made: ${what}`);
    } catch (reason) {
      if (!(reason instanceof CommandFailed) || !there.includes(reason.code)) {
        const done = made.length === 0 ? "Nothing was made." : `Until then: ${made.join("; ")}.`;
        throw reason instanceof CommandFailed
          ? new CommandFailed(reason.code, `${what}: ${reason.message}\n${done}`)
          : reason;
      }
      made.push(`there already: ${what}`);
    }
  };
  for (const { name, kind, file } of read.routes)
    await make(`route ${name}`, () => api("POST /routes", { name, kind, options: file, enabled: false }), [
      "route_exists",
    ]);
  await makePlan(api, read, make);
  for (const { sender, routes } of read.senders) {
    await make(
      `sender ${sender}`,
      () => api("POST /accounts/:id/senders", { id: account, sender, routes: [...routes] }),
      ["sender_exists"],
    );
    if (routes.length === 0 && read.rules.length > 0)
      await make(
        `the plan of ${sender}`,
        () => api("PATCH /accounts/:id/senders/:sender", { id: account, sender, plan: importedPlan }),
        [],
      );
  }
  for (const user of read.users) await makeUser(api, user, { account, traffic }, make);
  return [
    ...made,
    `${counted(read.routes.length, "route")} ${read.routes.length === 1 ? "is" : "are"} disabled: peyk route test NAME, then peyk route enable NAME.`,
  ];
}

type Make = (what: string, request: () => Promise<unknown>, there: readonly string[]) => Promise<void>;

async function makePlan(api: OperatorClient, { rules }: KannelImport, make: Make): Promise<void> {
  if (rules.length === 0) return;
  const plans = await api("GET /plans");
  if (plans.some(({ name }) => name === importedPlan)) return make(`plan ${importedPlan}`, () => Promise.resolve(), []);
  await make(`plan ${importedPlan}`, () => api("POST /plans", { name: importedPlan }), []);
  for (const [index, { ranges, routes }] of rules.entries()) {
    const rule = { name: importedPlan, ranges: [...ranges], targets: [{ routes: [...routes] }] };
    await make(`rule ${index + 1} of ${importedPlan}`, () => api("POST /plans/:name/rules", rule), []);
  }
}

async function makeUser(
  api: OperatorClient,
  user: KannelImport["users"][number],
  { account, traffic }: MakeOptions,
  make: Make,
): Promise<void> {
  const { username, password, allowFrom, path } = user;
  const taken = await api("GET /credentials", { account });
  const isThere = taken.some((one) => one.kind === "kannel" && one.name === username && one.status === "active");
  if (isThere) return make(`user ${username}`, () => Promise.resolve(), []);
  await make(`user ${username}`, async () => {
    const name = `kannel ${username}`.slice(0, 100);
    const key = await api("POST /keys", { account, name, permissions: ["messages:send"], allowFrom: [...allowFrom] });
    await api("POST /credentials", { key: key.id, kind: "kannel", name: username, password, traffic, path });
  }, ["credential_exists"]);
}
