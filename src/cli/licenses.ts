/** `peyk licenses`: the licences of Peyk and of everything inside its executable. It needs no running service. */
import { readFileSync } from "node:fs";
import thirdParty from "../../docs/third-party.txt" with { type: "file" };
import type { CliIo } from "./io.ts";
import { print, verb } from "./verb.ts";

export function licensesCommand(io: CliIo) {
  const words = { does: "print the licences of everything inside this executable", examples: ["peyk licenses | less"] };
  return verb("licenses", words).action((options) => {
    print(io, options, { text: readFileSync(thirdParty, "utf8") }, ({ text }) => text);
  });
}
