/** `peyk backup ship`: hands the newest copy to a command that brings it to another machine. Run by a unit of its own. */
import { errorMessage } from "../platform/error-code.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { dataDirOf, print, verb } from "./verb.ts";

export function shipBackup(io: CliIo) {
  return verb("ship", {
    does: "hand the newest copy to a command that brings it elsewhere, unless it was brought already",
    examples: ["peyk backup ship /etc/peyk/ship-backup"],
  })
    .argument("<command...>", "the command; the path of the copy becomes its last word")
    .action(async (command, options) => {
      const { shipNewest } = await import("../platform/shipping.ts");
      const shipped = await shipNewest(dataDirOf(io, options), command).catch((reason: unknown) => {
        throw new CommandFailed("not_shipped", errorMessage(reason));
      });
      print(io, options, { shipped }, () =>
        shipped ? "The newest copy is elsewhere now.\n" : "There is no newer copy.\n",
      );
    });
}
