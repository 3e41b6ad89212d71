/** The command line with all its commands, in help order. */
import type { Command } from "@commander-js/extra-typings";
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
import { messageCommand } from "./message.ts";
import { networkCommand } from "./network.ts";
import { otpCommand } from "./otp.ts";
import { patternCommand } from "./pattern.ts";
import { planCommand } from "./plan.ts";
import { priceCommand } from "./price.ts";
import { programOf } from "./program-of.ts";
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

export function createProgram(io: CliIo): Command {
  const program = programOf([
    serveCommand(io),
    demoCommand(io),
    statusCommand(io),
    clockCommand(io),
    accountCommand(io),
    keyCommand(io),
    credentialCommand(io),
    intakeCommand(io),
    senderCommand(io),
    routeCommand(io),
    planCommand(io),
    networkCommand(io),
    messageCommand(io),
    explainCommand(io),
    campaignCommand(io),
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
    importCommand(io),
    clusterCommand(io),
    configCommand(io),
    secretCommand(io),
    upgradeCommand(),
    completionCommand(io),
    versionCommand(io),
    licensesCommand(io),
  ]);
  program.addCommand(systemCommand(io), { hidden: true });
  return program;
}
