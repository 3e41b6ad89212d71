/** Runs the command of argv and maps its result to an exit code: 0 done, 1 refused or failed, 2 called wrongly. */
import { type Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { programOf } from "./program-of.ts";
import { serveCommand, serveName } from "./serve.ts";
import { joinLines } from "./text.ts";

/** Runs one command and returns its exit code. Throws only for defects. */
export async function runCommand(argv: readonly string[], io: CliIo): Promise<number> {
  const program = argv[0] === serveName ? programOf([serveCommand(io)]) : await everyCommand(io);
  prepare(program, io);
  try {
    assertUtf8(argv);
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (reason) {
    return exitCodeOf(reason, argv.includes("--json"), io);
  }
}

/** Starting the service does not have to wait for a hundred and more commands that it does not run. */
async function everyCommand(io: CliIo): Promise<Command> {
  const { createProgram } = await import("./program.ts");
  return createProgram(io);
}

/** Bun replaces octets that are not UTF-8 by U+FFFD, so a text in another encoding would be sent in pieces. */
function assertUtf8(argv: readonly string[]): void {
  const garbled = argv.find((word) => word.includes("\ufffd"));
  if (garbled !== undefined) throw new UsageError(`"${garbled}" is not UTF-8. Use a terminal and files that are.`);
}

/** Commander passes settings down only to commands that it creates itself. */
function prepare(command: CommandUnknownOpts, io: CliIo): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text, write) => write(`peyk: ${text}${knownWords(command, text)}`),
    })
    .configureHelp({ showGlobalOptions: false });
  for (const sub of command.commands) prepare(sub, io);
}

/** The available commands, printed after an unknown one. */
function knownWords(command: CommandUnknownOpts, error: string): string {
  if (!error.startsWith("error: unknown command")) return "";
  const names = command.createHelp().visibleCommands(command);
  return `Commands: ${names.map((sub) => sub.name()).join(", ")}\n`;
}

function exitCodeOf(reason: unknown, json: boolean, io: CliIo): number {
  if (reason instanceof CommanderError) return reason.exitCode === 0 ? 0 : 2;
  if (reason instanceof UsageError) {
    io.err(joinLines([`peyk: ${reason.message}`]));
    return 2;
  }
  if (!(reason instanceof CommandFailed)) throw reason;
  const { code, message, problems } = reason;
  io.err(json ? `${jsonText({ code, message, problems })}\n` : joinLines(`peyk: ${message}`.split("\n")));
  return 1;
}
