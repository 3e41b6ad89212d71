/** The command line: runs the command of argv and maps its result to an exit code: 0 done, 1 refused or failed, 2 called wrongly. */
import { Command, CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { version } from "../platform/version.ts";
import { accountCommand } from "./account.ts";
import { alertCommand } from "./alert.ts";
import { auditCommand } from "./audit.ts";
import { backupCommand } from "./backup.ts";
import { clockCommand } from "./clock.ts";
import { completionCommand } from "./completion.ts";
import { configCommand } from "./config.ts";
import { demoCommand } from "./demo.ts";
import { diagnosticsCommand } from "./diagnostics.ts";
import { doctorCommand } from "./doctor.ts";
import { CommandFailed, UsageError } from "./errors.ts";
import { explainCommand } from "./explain.ts";
import { groupCommand } from "./group.ts";
import { inboundCommand } from "./inbound.ts";
import type { CliIo } from "./io.ts";
import { keyCommand } from "./key.ts";
import { lineCommand } from "./line.ts";
import { messageCommand } from "./message.ts";
import { networkCommand } from "./network.ts";
import { otpCommand } from "./otp.ts";
import { patternCommand } from "./pattern.ts";
import { planCommand } from "./plan.ts";
import { priceCommand } from "./price.ts";
import { queueCommand } from "./queue.ts";
import { quotaCommand } from "./quota.ts";
import { recipientCommand } from "./recipient.ts";
import { reportCommand } from "./report.ts";
import { routeCommand } from "./route.ts";
import { secretCommand } from "./secret.ts";
import { senderCommand } from "./sender.ts";
import { serveCommand, serveName } from "./serve.ts";
import { simulatorCommand } from "./simulator.ts";
import { statusCommand } from "./status.ts";
import { suppressionCommand } from "./suppression.ts";
import { systemCommand } from "./system.ts";
import { joinLines } from "./text.ts";
import { upgradeCommand } from "./upgrade.ts";
import { userCommand } from "./user.ts";
import { jsonText } from "./verb.ts";
import { versionCommand } from "./version.ts";
import { webhookCommand } from "./webhook.ts";

/** Runs one command and returns its exit code. It throws for defects only. */
export async function runCommand(argv: readonly string[], io: CliIo): Promise<number> {
  // A start of the service need not wait for the hundred and more commands that it does not run.
  const program = argv[0] === serveName ? programOf([serveCommand(io)]) : createProgram(io);
  prepare(program, io);
  try {
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (reason) {
    return exitCodeOf(reason, argv.includes("--json"), io);
  }
}

export function createProgram(io: CliIo): Command {
  const program = programOf([
    serveCommand(io),
    demoCommand(io),
    statusCommand(io),
    clockCommand(io),
    accountCommand(io),
    keyCommand(io),
    senderCommand(io),
    routeCommand(io),
    planCommand(io),
    networkCommand(io),
    messageCommand(io),
    explainCommand(io),
    lineCommand(io),
    inboundCommand(io),
    webhookCommand(io),
    groupCommand(io),
    patternCommand(io),
    otpCommand(io),
    suppressionCommand(io),
    recipientCommand(io),
    queueCommand(io),
    quotaCommand(io),
    priceCommand(io),
    reportCommand(io),
    simulatorCommand(io),
    userCommand(io),
    auditCommand(io),
    alertCommand(io),
    doctorCommand(io),
    diagnosticsCommand(io),
    backupCommand(io),
    configCommand(io),
    secretCommand(io),
    upgradeCommand(),
    completionCommand(io),
    versionCommand(io),
  ]);
  program.addCommand(systemCommand(io), { hidden: true });
  return program;
}

function programOf(commands: readonly CommandUnknownOpts[]): Command {
  const program = new Command("peyk")
    .description("Peyk: SMS messaging in one binary. A 202 means the message is on disk.")
    .version(version, "-V, --version", "print the version");
  for (const command of commands) program.addCommand(command);
  return program;
}

/** Commander hands settings down only to commands that it creates itself. */
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

/** The commands that there are, after a word that is none of them. */
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
