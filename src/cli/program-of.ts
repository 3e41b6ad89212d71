/** Builds the command-line program from the given commands. */
import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { version } from "../platform/version.ts";

export function programOf(commands: readonly CommandUnknownOpts[]): Command {
  const program = new Command("peyk")
    .description("Peyk: SMS messaging in one binary. A 202 means the message is on disk.")
    .version(version, "-V, --version", "print the version");
  for (const command of commands) program.addCommand(command);
  return program;
}
