/** `peyk suppression …`: numbers that must not receive messages. */

import { basename } from "node:path";
import { counted } from "../domain/counted.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { SuppressionAnswer } from "../operator/suppressions.ts";
import { answerLines, streamed } from "./client.ts";
import { calls, flag, noun, preset, typed, whole } from "./declared.ts";
import { writeArray, writeStream } from "./export-output.ts";
import { layoutInput, type MemberImportInput, readFile, runImport } from "./group-import.ts";
import type { CliIo } from "./io.ts";
import { joinLines, orDash, shortTime, tableOf } from "./text.ts";
import { type CommonOptions, connect, print, socketOf, verb } from "./verb.ts";

const accountHelp = "the list of this account; without it, the list that counts for all accounts";

/** The most that a page may hold. */
const pageNumbers = 500;

function importFile(io: CliIo) {
  const words = {
    does: "add the numbers of a file to a list: all of them, or none where a line is wrong",
    examples: ["peyk suppression import --csv opted-out.csv --account acc_1"],
  };
  return verb("import", words)
    .requiredOption("--csv <file>", "UTF-8, commas or semicolons; a column mobile, others are ignored")
    .option("--account <id>", accountHelp)
    .option(
      "--columns <list>",
      "what each column is, in their order and by commas: mobile, or - to leave it out; otherwise its header says so",
    )
    .option("--no-header", "with --columns: the first line is a number, too")
    .action(async ({ csv, account, columns, header, ...options }) => {
      const imported = await importNumbersFile(io, options, { csv, account, columns, header });
      print(io, options, imported, numbersImportedText);
    });
}

function exportList(io: CliIo) {
  const words = {
    does: "write a list as CSV, which the import takes, too",
    examples: [
      "peyk suppression export --account acc_1 > opted-out.csv",
      "peyk suppression export --account acc_1 --json > opted-out.json",
    ],
  };
  return verb("export", words)
    .option("--account <id>", accountHelp)
    .action(async ({ account, ...options }) => {
      if (options.json === true) return writeArray(io, listPages(connect(io, options), account));
      await writeStream(io, await streamed(socketOf(io, options), "GET /suppressions/export", { account }));
    });
}

async function* listPages(
  api: OperatorClient,
  account: string | undefined,
): AsyncGenerator<readonly SuppressionAnswer[]> {
  const global = account === undefined ? true : undefined;
  for (let cursor: string | undefined; ; ) {
    const page = await api("GET /suppressions", { account, global, limit: pageNumbers, cursor });
    yield page.numbers;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

function listText({ account }: SuppressionAnswer): string {
  return account ?? "all accounts";
}

export type NumbersImportInput = Omit<MemberImportInput, "code">;

export interface NumbersImportResult {
  added: number;
  /** Already on the list, or twice in the file. */
  known: number;
  ignoredColumns: readonly string[];
}

/** The least that a line can be, for the progress: a number and its line feed. */
const lineBytes = 12;

/** @throws CommandFailed with every wrong line; in that case nothing was imported. */
export async function importNumbersFile(
  io: CliIo,
  options: CommonOptions,
  input: NumbersImportInput,
): Promise<NumbersImportResult> {
  const { csv } = input;
  const asked = { ...layoutInput(input), name: csv === "-" ? "" : basename(csv).slice(0, 120) };
  const body = await readFile(io, csv);
  const lines = Math.ceil(body.length / lineBytes);
  const answer = answerLines(socketOf(io, options), "POST /suppressions/import", asked, body);
  const end = await runImport(io, answer, { csv, lines });
  return { added: end.members, known: end.merged, ignoredColumns: end.ignoredColumns };
}

export function numbersImportedText({ added, known, ignoredColumns }: NumbersImportResult): string {
  const lines = [`${counted(added, "number")} added, ${known} known before.`];
  if (ignoredColumns.length > 0) lines.push(`Ignored columns: ${ignoredColumns.join(", ")}`);
  return joinLines(lines);
}

const suppressionTable = tableOf<SuppressionAnswer>("", {
  NUMBER: "number",
  "LIST OF": listText,
  SOURCE: "source",
  DETAIL: ({ detail }) => orDash(detail),
  SINCE: ({ addedAt }) => shortTime(addedAt),
});

const of = { number: "a mobile number in any spelling" };

export const suppressionCommand = noun(
  "suppression",
  "numbers that must not get messages, for all accounts or for one",
  {
    add: calls({
      does: "put a number on a list: bulk messages to it fail as blocked, and others where an account is set so",
      examples: ["peyk suppression add 09121234567 --account acc_1 --note 'asked by phone'"],
      of,
      options: {
        account: typed("account <id>", accountHelp),
        note: typed("note <text>", "why, in at most 120 characters"),
      },
      call: (api, given) => api("POST /suppressions", given),
      text: (entry) => suppressionTable([entry]),
    }),
    remove: calls({
      does: "take a number off a list",
      examples: ["peyk suppression remove 09121234567 --account acc_1"],
      of,
      options: { account: typed("account <id>", accountHelp) },
      call: (api, given) => api("DELETE /suppressions/:number", given),
      text: (entry) => joinLines([`${entry.number} is off the list of ${listText(entry)}.`]),
    }),
    list: calls({
      does: "list numbers in their order, of every list or of one",
      examples: ["peyk suppression list", "peyk suppression list --account acc_1", "peyk suppression list --global"],
      options: {
        account: typed("account <id>", "only the list of this account"),
        global: flag("global", "only the list that counts for all accounts"),
        limit: preset(whole("limit <count>", `at most this many, up to ${pageNumbers}`, 1, pageNumbers), "50"),
        cursor: typed("cursor <cursor>", "where the last page ended"),
      },
      call: (api, { global, ...given }) => api("GET /suppressions", { ...given, global: global === true || undefined }),
      text: ({ numbers, nextCursor }, { account, global }) => {
        const isOne = account !== undefined || global === true;
        if (numbers.length === 0) return `No number is on ${isOne ? "it" : "any list"}.\n`;
        return suppressionTable(numbers) + (nextCursor === null ? "" : joinLines([`More: --cursor ${nextCursor}`]));
      },
    }),
    show: calls({
      does: "show on which lists a number stands, since when and why",
      examples: ["peyk suppression show 09121234567"],
      of,
      call: (api, given) => api("GET /suppressions/:number", given),
      text: (entries) => (entries.length === 0 ? "The number is on no list.\n" : suppressionTable(entries)),
    }),
    import: importFile,
    export: exportList,
  },
);
