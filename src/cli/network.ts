/** `peyk network …`: the networks behind number ranges, both built in and added by the operator. */
import { counted } from "../domain/counted.ts";
import type { NetworkAnswer } from "../operator/networks.ts";
import type { CliIo } from "./io.ts";
import { formatTable, joinLines } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";
import { ask, noun, verb } from "./verb.ts";

export function networkCommand(io: CliIo) {
  return noun("network", "networks and their number ranges, for routing plans and reports")
    .addCommand(list(io))
    .addCommand(importRanges(io))
    .addCommand(remove(io));
}

function list(io: CliIo) {
  const words = { does: "list networks with the number ranges that count now", examples: ["peyk network list"] };
  return verb("list", words).action((options) => ask(io, options, (api) => api("GET /networks"), networkTable));
}

function importRanges(io: CliIo) {
  const words = {
    does: "add number ranges from a CSV file; they count before those that Peyk knows",
    examples: ["peyk network import ranges.csv    (lines below the header network,range: Irancell,+98900)"],
  };
  return verb("import", words)
    .argument("<file>", "CSV with the columns network and range; - for standard input")
    .action(async (file, options) => {
      const csv = await readTextOrInput(io, file);
      await ask(
        io,
        options,
        (api) => api("POST /networks/import", { csv }),
        ({ added, unchanged }) =>
          joinLines([`${counted(added, "range")} added${unchanged === 0 ? "" : `, ${unchanged} known before`}.`]),
      );
    });
}

function remove(io: CliIo) {
  const words = {
    does: "remove the ranges that were added for a network; what Peyk knows of it itself counts again",
    examples: ["peyk network remove Irancell"],
  };
  return verb("remove", words)
    .argument("<name>", "the network's name")
    .action((name, options) =>
      ask(
        io,
        options,
        (api) => api("DELETE /networks/:name", { name }),
        (answer) => joinLines([`${counted(answer.removed, "range")} of ${answer.name} removed.`]),
      ),
    );
}

function networkTable(networks: readonly NetworkAnswer[]): string {
  const rows = networks.map(({ name, source, ranges }) => [name, source ?? "added", ranges.join(" ") || "-"]);
  return formatTable(["NETWORK", "SOURCE", "RANGES"], rows);
}
