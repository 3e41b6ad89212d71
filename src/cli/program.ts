/** The command line with all its commands, in help order. */
import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { accountCommand } from "./account.ts";
import { alertCommand } from "./alert.ts";
import { auditCommand } from "./audit.ts";
import { backupCommand } from "./backup.ts";
import { campaignCommand } from "./campaign.ts";
import { clockCommand } from "./clock.ts";
import { clusterCommand } from "./cluster.ts";
import { completionCommand } from "./completion.ts";
import { configCommand } from "./config.ts";
import { credentialCommand } from "./credential.ts";
import { demoCommand } from "./demo.ts";
import { diagnosticsCommand } from "./diagnostics.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCommand } from "./explain.ts";
import { groupCommand } from "./group.ts";
import { importCommand } from "./import.ts";
import { inboundCommand } from "./inbound.ts";
import { intakeCommand } from "./intake.ts";
import type { CliIo } from "./io.ts";
import { keyCommand } from "./key.ts";
import { licensesCommand } from "./licenses.ts";
import { lineCommand } from "./line.ts";
import { mcpCommand } from "./mcp.ts";
import { messageCommand } from "./message.ts";
import { networkCommand } from "./network.ts";
import { otpCommand } from "./otp.ts";
import { patternCommand } from "./pattern.ts";
import { planCommand } from "./plan.ts";
import { portedCommand } from "./ported.ts";
import { priceCommand } from "./price.ts";
import { programOf } from "./program-of.ts";
import { proveCommand } from "./prove.ts";
import { queueCommand } from "./queue.ts";
import { quotaCommand } from "./quota.ts";
import { recipientCommand } from "./recipient.ts";
import { reportCommand } from "./report.ts";
import { routeCommand } from "./route.ts";
import { secretCommand } from "./secret.ts";
import { senderCommand } from "./sender.ts";
import { serveCommand } from "./serve.ts";
import { simulatorCommand } from "./simulator.ts";
import { statusCommand } from "./status.ts";
import { suppressionCommand } from "./suppression.ts";
import { systemCommand } from "./system.ts";
import { upgradeCommand } from "./upgrade.ts";
import { userCommand } from "./user.ts";
import { versionCommand } from "./version.ts";
import { webhookCommand } from "./webhook.ts";

/** The groups of `peyk help`, in its order. */
const groups: Readonly<Record<string, readonly ((io: CliIo) => CommandUnknownOpts)[]>> = {
  "The service": [serveCommand, demoCommand, statusCommand, doctorCommand, proveCommand, clockCommand],
  Customers: [accountCommand, keyCommand, credentialCommand, intakeCommand, senderCommand, quotaCommand, userCommand],
  Carriers: [routeCommand, planCommand, networkCommand, portedCommand, simulatorCommand],
  Messages: [
    messageCommand,
    explainCommand,
    campaignCommand,
    queueCommand,
    lineCommand,
    inboundCommand,
    webhookCommand,
    groupCommand,
    patternCommand,
    otpCommand,
    suppressionCommand,
    recipientCommand,
  ],
  "Prices and figures": [priceCommand, reportCommand],
  "What is wrong, and who did what": [alertCommand, auditCommand, diagnosticsCommand],
  "Data and machines": [
    backupCommand,
    importCommand,
    mcpCommand,
    clusterCommand,
    configCommand,
    secretCommand,
    upgradeCommand,
  ],
  "This program": [completionCommand, versionCommand, licensesCommand],
};

export function createProgram(io: CliIo): Command {
  const grouped = Object.entries(groups).flatMap(([heading, commands]) =>
    commands.map((command) => command(io).helpGroup(`${heading}:`)),
  );
  const program = programOf(grouped);
  program.commandsGroup("This program:").helpCommand(true);
  program.addCommand(systemCommand(io), { hidden: true });
  return program;
}
