/** `peyk ported …`: the table of numbers that moved between networks. */
import { counted } from "../domain/counted.ts";
import { calls, noun } from "./declared.ts";
import type { CliIo } from "./io.ts";
import { buildTable, openCsv } from "./ported-import.ts";
import { formatFields, joinLines, shortTime } from "./text.ts";
import { connect, print, verb } from "./verb.ts";

const problemWords = {
  missing: "its file is missing: number ranges decide",
  damaged: "its file is another one: number ranges decide",
};

const remarks = (problem: keyof typeof problemWords | null) => (problem === null ? "in use" : problemWords[problem]);

export const portedCommand = noun("ported", "numbers that moved to another network, for routing, prices and reports", {
  import: importTable,
  show: calls({
    does: "show which table counts now",
    examples: ["peyk ported show"],
    call: (api) => api("GET /ported-numbers"),
    text: ({ table, folder }) =>
      table === null
        ? joinLines(["There is no table. Import one: peyk ported import FILE"])
        : formatFields([
            ["Numbers", String(table.numbers)],
            ["Imported", shortTime(table.importedAt)],
            ["State", remarks(table.problem)],
            ["File", `${folder}/${table.file}`],
            ["Sum", table.sum],
          ]),
  }),
  find: calls({
    does: "say which network has a number, and what names it",
    examples: ["peyk ported find +989121234567"],
    of: { number: "in any common spelling" },
    call: (api, given) => api("GET /ported-numbers/:number", given),
    text: ({ number, network, source, range }) =>
      joinLines([
        `${number}: ${network ?? "no known network"}${source === "ported" ? `, by the table; its range is ${range === null ? "unknown" : `of ${range}`}` : ", by its range"}.`,
      ]),
  }),
  remove: calls({
    does: "remove the table; number ranges decide again",
    examples: ["peyk ported remove"],
    call: (api) => api("DELETE /ported-numbers"),
    text: ({ numbers }) => joinLines([`The table of ${counted(numbers, "number")} is removed.`]),
  }),
});

function importTable(io: CliIo, name: string) {
  return verb(name, {
    does: "replace the table by the numbers of a CSV file, fifty million at most; the old one counts until it is complete",
    examples: ["peyk ported import ported.csv    (lines below the header number,network: +989121234567,Irancell)"],
  })
    .argument("<file>", "CSV with the columns number and network")
    .action(async (file, options) => {
      const csv = openCsv(file);
      const api = connect(io, options);
      const networks = (await api("GET /networks")).map((network) => network.name);
      const { folder } = await api("GET /ported-numbers");
      const answer = await buildTable(io, csv, { folder, networks }, async ({ sum, repeated }) => ({
        ...(await api("POST /ported-numbers", { sum })),
        repeated,
      }));
      print(io, options, answer, ({ numbers, repeated }) =>
        joinLines([
          `${counted(numbers, "number")} imported.${repeated === 0 ? "" : ` ${counted(repeated, "line")} repeated another.`}`,
        ]),
      );
    });
}
