/** `peyk network …`: the networks behind number ranges, both built in and added by the operator. */

import { counted } from "../domain/counted.ts";
import type { NetworkAnswer } from "../operator/plans.ts";
import { calls, noun } from "./declared.ts";
import { joinLines, tableOf } from "./text.ts";
import { readTextOrInput } from "./text-file.ts";

export const networkCommand = noun("network", "networks and their number ranges, for routing plans and reports", {
  list: calls({
    does: "list networks with the number ranges that count now",
    examples: ["peyk network list"],
    call: (api) => api("GET /networks"),
    text: tableOf<NetworkAnswer>("", {
      NETWORK: "name",
      SOURCE: ({ source }) => source ?? "added",
      RANGES: ({ ranges }) => ranges.join(" ") || "-",
    }),
  }),
  import: calls({
    does: "add number ranges from a CSV file; they count before those that Peyk knows",
    examples: ["peyk network import ranges.csv    (lines below the header network,range: Irancell,+98900)"],
    of: { file: "CSV with the columns network and range; - for standard input" },
    call: async (api, { file }, io) => api("POST /networks/import", { csv: await readTextOrInput(io, file) }),
    text: ({ added, unchanged }) =>
      joinLines([`${counted(added, "range")} added${unchanged === 0 ? "" : `, ${unchanged} known before`}.`]),
  }),
  remove: calls({
    does: "remove the ranges that were added for a network; what Peyk knows of it itself counts again",
    examples: ["peyk network remove Irancell"],
    of: { name: "the network's name" },
    call: (api, given) => api("DELETE /networks/:name", given),
    text: ({ removed, name }) => joinLines([`${counted(removed, "range")} of ${name} removed.`]),
  }),
});
