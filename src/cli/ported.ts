/** `peyk ported …`: the table of numbers that moved between networks. */
import { counted } from "../domain/counted.ts";
import type { AnswerOf } from "../operator/client.ts";
import { calls, noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import { buildTable, openCsv } from "./ported-import.ts";
import { readRouteFile } from "./route-file.ts";
import { formatFields, joinLines, shortTime } from "./text.ts";

const problemWords = {
  missing: "its file is missing: number ranges decide",
  damaged: "its file is another one: number ranges decide",
};

const namedBy = { prefix: "its range", ported: "the table", lookup: "a look-up" };

const lookupProblems = {
  unanswered: "no useful answers",
  budget: "the day's budget is spent",
  unusable: "its file cannot be used: set it again",
};

type Answer = AnswerOf<"GET /ported-numbers">;

const tableText = (folder: string, table: Answer["table"]) =>
  table === null
    ? "There is no table. Import one: peyk ported import FILE\n"
    : formatFields([
        ["Numbers", String(table.numbers)],
        ["Imported", shortTime(table.importedAt)],
        ["State", remarks(table.problem)],
        ["File", `${folder}/${table.file}`],
        ["Sum", table.sum],
      ]);

const lookupText = ({ settings, asked, problem, lastProblem }: NonNullable<Answer["lookup"]>) =>
  formatFields([
    ["Look-up", problem === null ? "in use" : lookupProblems[problem]],
    ...Object.entries(settings ?? {}).map(([name, value]) => [`  ${name}`, String(value)] as const),
    ["Asked today", String(asked)],
    ["Last problem", lastProblem === null ? "-" : `${shortTime(lastProblem.at)}  ${lastProblem.words}`],
  ]);

const remarks = (problem: keyof typeof problemWords | null) => (problem === null ? "in use" : problemWords[problem]);

export const portedCommand = noun("ported", "numbers that moved to another network, for routing, prices and reports", {
  import: calls({
    does: "replace the table by the numbers of a CSV file, fifty million at most; the old one counts until it is complete",
    examples: ["peyk ported import ported.csv    (lines below the header number,network: +989121234567,Irancell)"],
    of: { file: "CSV with the columns number and network" },
    async call(api, { file }, io) {
      const csv = openCsv(file);
      const networks = (await api("GET /networks")).map((network) => network.name);
      const { folder } = await api("GET /ported-numbers");
      return buildTable(io, csv, { folder, networks }, async ({ sum, repeated }) => ({
        ...(await api("POST /ported-numbers", { sum })),
        repeated,
      }));
    },
    text: ({ numbers, repeated }) =>
      joinLines([
        `${counted(numbers, "number")} imported.${repeated === 0 ? "" : ` ${counted(repeated, "line")} repeated another.`}`,
      ]),
  }),
  show: calls({
    does: "show which table counts now",
    examples: ["peyk ported show"],
    call: (api) => api("GET /ported-numbers"),
    text: ({ table, folder, lookup }) => tableText(folder, table) + (lookup === null ? "" : `\n${lookupText(lookup)}`),
  }),
  find: calls({
    does: "say which network has a number, and what names it",
    examples: ["peyk ported find +989121234567"],
    of: { number: "in any common spelling" },
    call: (api, given) => api("GET /ported-numbers/:number", given),
    text: ({ number, network, source, range }) =>
      joinLines([
        `${number}: ${network ?? "no known network"}, by ${namedBy[source]}${source === "prefix" ? "" : `; its range is ${range === null ? "unknown" : `of ${range}`}`}.`,
      ]),
  }),
  remove: calls({
    does: "remove the table; number ranges decide again",
    examples: ["peyk ported remove"],
    call: (api) => api("DELETE /ported-numbers"),
    text: ({ numbers }) => joinLines([`The table of ${counted(numbers, "number")} is removed.`]),
  }),
  lookup: noun("lookup", "the service that is asked, before a message is accepted, which network has its number", {
    set: calls({
      does: "ask this service for numbers that are not in the table, where a rule or a price depends on the network",
      examples: ["peyk ported lookup set lookup.json    (what it contains: docs/ported-numbers.md)"],
      of: { file: "the whole file (JSON), or - for standard input" },
      call: async (api, { file }, io) => api("PUT /number-lookup", { file: await readRouteFile(io, file) }),
      text: (lookup) => (lookup === null ? "" : lookupText(lookup)),
    }),
    try: calls({
      does: "ask the service about a number now; it counts as one of the day's questions",
      examples: ["peyk ported lookup try +989121234567"],
      of: { number: "in any common spelling" },
      call: (api, given) => api("POST /number-lookup/test", given),
      text: ({ number, network, problem, ms }) =>
        joinLines([`${number}: ${network ?? "no network"}, after ${ms} ms.`, ...(problem === null ? [] : [problem])]),
      check({ problem }) {
        if (problem !== null) throw new CommandFailed("no_answer", "The number was not looked up.");
      },
    }),
    remove: calls({
      does: "ask nobody any more, and forget the answers",
      examples: ["peyk ported lookup remove"],
      call: (api) => api("DELETE /number-lookup"),
      text: () => "Nobody is asked any more.\n",
    }),
  }),
});
