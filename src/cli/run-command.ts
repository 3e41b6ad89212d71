/** Runs the command of argv and maps its result to an exit code: 0 done, 1 refused or failed, 2 called wrongly. */
import { type Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { CommandFailed, UsageError } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json-text.ts";
import { programOf } from "./program-of.ts";
import { serveCommand, serveName } from "./serve.ts";
import { joinLines } from "./text.ts";

/** Called wrongly: exit code 2. */
const usageCode = "usage";

/** Runs one command and returns its exit code. Throws only for defects. */
export async function runCommand(argv: readonly string[], io: CliIo): Promise<number> {
  const program = argv[0] === serveName ? programOf([serveCommand(io)]) : await everyCommand(io);
  const asJson = argv.includes("--json");
  const refusals: string[] = [];
  prepare(program, asJson ? { ...io, refuse: (text) => void refusals.push(text) } : { ...io, refuse: io.err });
  try {
    assertUtf8(argv);
    await program.parseAsync(wholeHelp(argv), { from: "user" });
    return 0;
  } catch (reason) {
    return exitCodeOf(reason, asJson ? refusals : null, io);
  }
}

/** Starting the service does not have to wait for a hundred and more commands that it does not run. */
async function everyCommand(io: CliIo): Promise<Command> {
  const { createProgram } = await import("./program.ts");
  return createProgram(io);
}

/** Commander's own `help` reads one word of `peyk help account create`. */
function wholeHelp(argv: readonly string[]): readonly string[] {
  const [first, ...command] = argv;
  return first === "help" && command.length > 1 ? [...command, "--help"] : argv;
}

/** Bun replaces octets that are not UTF-8 by U+FFFD, so a text in another encoding would be sent in pieces. */
function assertUtf8(argv: readonly string[]): void {
  const garbled = argv.find((word) => word.includes("\ufffd"));
  if (garbled !== undefined) throw new UsageError(`"${garbled}" is not UTF-8. Use a terminal and files that are.`);
}

/** Commander passes settings down only to commands that it creates itself. */
function prepare(command: CommandUnknownOpts, io: Pick<CliIo, "out" | "err"> & { refuse(text: string): void }): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: (text) => io.refuse(`peyk: ${text}${knownWords(command, text)}`),
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

/** `refusals`: what commander refused with, if errors are printed as JSON; otherwise null. */
function exitCodeOf(reason: unknown, refusals: readonly string[] | null, io: CliIo): number {
  const told = ({ code, message, problems }: Pick<CommandFailed, "code" | "message" | "problems">) =>
    io.err(
      refusals === null ? joinLines(`peyk: ${message}`.split("\n")) : `${jsonText({ code, message, problems })}\n`,
    );
  if (reason instanceof CommanderError) {
    if (reason.exitCode === 0) return 0;
    const message = (refusals ?? [])
      .join("")
      .replace(/^peyk: (error: )?/, "")
      .trimEnd();
    if (message !== "") told({ code: usageCode, message, problems: [] });
    return 2;
  }
  if (reason instanceof UsageError) {
    told({ code: usageCode, message: reason.message, problems: [] });
    return 2;
  }
  if (!(reason instanceof CommandFailed)) throw reason;
  told(reason);
  return 1;
}
