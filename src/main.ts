/** Where the process begins: argv to command, and nothing else. */
import { processIo } from "./cli/io.ts";
import { runCommand } from "./cli/program.ts";

process.exitCode = await runCommand(process.argv.slice(2), processIo);
