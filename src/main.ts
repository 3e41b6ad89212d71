/** The entry point: hands the arguments to the command line. */
import { processIo } from "./cli/io.ts";
import { runCommand } from "./cli/run-command.ts";

process.exitCode = await runCommand(process.argv.slice(2), processIo);
