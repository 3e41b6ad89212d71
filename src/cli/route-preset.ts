/** `peyk route preset …`: carriers that a route's file can refer to by name, and examples of complete files. */
import type { CatalogueEntry } from "../providers/http/catalogue.ts";
import { noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { formatFields, formatTable } from "./text.ts";
import { print, verb } from "./verb.ts";

/** No other command needs the carriers' code. */
const catalogue = async () => (await import("../providers/http/catalogue.ts")).carrierCatalogue();

export const presetCommand = noun(
  "preset",
  "carriers that a route's file need only name, and examples of whole files",
  { list, show },
);

function list(io: CliIo) {
  const words = { does: "list presets and examples", examples: ["peyk route preset list"] };
  return verb("list", words).action(async (options) => {
    const entries = await catalogue();
    const rows = entries.map(({ name, kind, title }) => [name, kind, title]);
    print(io, options, entries, () => formatTable(["NAME", "KIND", "CARRIER"], rows));
  });
}

function show(io: CliIo) {
  const words = {
    does: "show what a preset needs, and a file to begin with",
    examples: ["peyk route preset show kavenegar", "peyk route preset show json-example --file > carrier.json"],
  };
  return verb("show", words)
    .argument("<name>", "of peyk route preset list")
    .option("--file", "print the file alone")
    .action(async (name, { file, ...options }) => {
      const entries = await catalogue();
      const entry = entries.find((one) => one.name === name);
      if (entry === undefined) {
        const names = entries.map((one) => one.name).join(", ");
        throw new CommandFailed("preset_not_found", `There is no preset "${name}"; there are ${names}.`);
      }
      if (file === true) io.out(`${JSON.stringify(entry.file, null, 2)}\n`);
      else print(io, options, entry, entryText);
    });
}

function entryText({ name, title, kind, source, needs, file }: CatalogueEntry): string {
  const head = formatFields([
    ["Name", name],
    ["Carrier", title],
    ["Kind", kind === "preset" ? "preset: a route's file names it" : "example: a whole file to change"],
    ...(source === "" ? [] : [["Made from", source] as const]),
    ...Object.entries(needs).map(([key, words]) => [`  ${key}`, words] as const),
  ]);
  return `${head}\n${JSON.stringify(file, null, 2)}\n`;
}
