/** `peyk licenses`: the licences of Peyk and of everything inside its executable. It needs no running service. */
import { readFileSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import thirdParty from "../../docs/third-party.txt" with { type: "file" };
import type { CliIo } from "./io.ts";

export function licensesCommand(io: CliIo) {
  return new Command("licenses")
    .description("print the licences of everything inside this executable")
    .addHelpText("after", "\nExamples:\n  peyk licenses | less\n")
    .action(() => io.out(readFileSync(thirdParty, "utf8")));
}
