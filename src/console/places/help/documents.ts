/** Made by `bun run docs`: the pages of docs/ that are part of the binary, each as its text. */
import agentsPage from "../../../../docs/agents.md" with { type: "text" };
import alertsPage from "../../../../docs/alerts.md" with { type: "text" };
import apiRulesPage from "../../../../docs/api-rules.md" with { type: "text" };
import backupAndRestorePage from "../../../../docs/backup-and-restore.md" with { type: "text" };
import carrierFormExamplePage from "../../../../docs/carriers/form-example.md" with { type: "text" };
import carrierInfobipPage from "../../../../docs/carriers/infobip.md" with { type: "text" };
import carrierJsonExamplePage from "../../../../docs/carriers/json-example.md" with { type: "text" };
import carrierKannelPage from "../../../../docs/carriers/kannel.md" with { type: "text" };
import carrierKavenegarPage from "../../../../docs/carriers/kavenegar.md" with { type: "text" };
import carrierSmsgatePage from "../../../../docs/carriers/smsgate.md" with { type: "text" };
import carrierSmsirPage from "../../../../docs/carriers/smsir.md" with { type: "text" };
import carrierTelegramPage from "../../../../docs/carriers/telegram.md" with { type: "text" };
import carrierTwilioPage from "../../../../docs/carriers/twilio.md" with { type: "text" };
import carrierTwilioCallPage from "../../../../docs/carriers/twilio-call.md" with { type: "text" };
import cliPage from "../../../../docs/cli.md" with { type: "text" };
import clientLibrariesPage from "../../../../docs/client-libraries.md" with { type: "text" };
import compatibilityPage from "../../../../docs/compatibility.md" with { type: "text" };
import configurationPage from "../../../../docs/configuration.md" with { type: "text" };
import connectAnHttpProviderPage from "../../../../docs/connect-an-http-provider.md" with { type: "text" };
import connectYourSmscPage from "../../../../docs/connect-your-smsc.md" with { type: "text" };
import consolePage from "../../../../docs/console.md" with { type: "text" };
import dropInPage from "../../../../docs/drop-in.md" with { type: "text" };
import errorsPage from "../../../../docs/errors.md" with { type: "text" };
import persianConnectACarrierPage from "../../../../docs/fa/connect-a-carrier.md" with { type: "text" };
import persianFirstMessagePage from "../../../../docs/fa/first-message.md" with { type: "text" };
import persianInstallPage from "../../../../docs/fa/install.md" with { type: "text" };
import persianTroubleshootingPage from "../../../../docs/fa/troubleshooting.md" with { type: "text" };
import firstMessagePage from "../../../../docs/first-message.md" with { type: "text" };
import glossaryPage from "../../../../docs/glossary.md" with { type: "text" };
import highAvailabilityPage from "../../../../docs/high-availability.md" with { type: "text" };
import importPage from "../../../../docs/import.md" with { type: "text" };
import inboundRulesPage from "../../../../docs/inbound-rules.md" with { type: "text" };
import installPage from "../../../../docs/install.md" with { type: "text" };
import intakeIdentityPage from "../../../../docs/intake/identity.md" with { type: "text" };
import intakeMonitoringPage from "../../../../docs/intake/monitoring.md" with { type: "text" };
import intakeSitesPage from "../../../../docs/intake/sites.md" with { type: "text" };
import intakeWorkflowPage from "../../../../docs/intake/workflow.md" with { type: "text" };
import intakePage from "../../../../docs/intake.md" with { type: "text" };
import oneTimePasswordsPage from "../../../../docs/one-time-passwords.md" with { type: "text" };
import operatorApiPage from "../../../../docs/operator-api.md" with { type: "text" };
import portedNumbersPage from "../../../../docs/ported-numbers.md" with { type: "text" };
import pricesAndQuotasPage from "../../../../docs/prices-and-quotas.md" with { type: "text" };
import privacyPage from "../../../../docs/privacy.md" with { type: "text" };
import promisesPage from "../../../../docs/promises.md" with { type: "text" };
import quietHoursPage from "../../../../docs/quiet-hours.md" with { type: "text" };
import repairPage from "../../../../docs/repair.md" with { type: "text" };
import routingPlansPage from "../../../../docs/routing-plans.md" with { type: "text" };
import securityPage from "../../../../docs/security.md" with { type: "text" };
import signInPage from "../../../../docs/sign-in.md" with { type: "text" };
import sizingPage from "../../../../docs/sizing.md" with { type: "text" };
import smppServerPage from "../../../../docs/smpp-server.md" with { type: "text" };
import smtpPage from "../../../../docs/smtp.md" with { type: "text" };
import suppressionPage from "../../../../docs/suppression.md" with { type: "text" };
import testKeysPage from "../../../../docs/test-keys.md" with { type: "text" };
import tlsAndProxiesPage from "../../../../docs/tls-and-proxies.md" with { type: "text" };
import troubleshootingPage from "../../../../docs/troubleshooting.md" with { type: "text" };
import upgradePage from "../../../../docs/upgrade.md" with { type: "text" };
import verifySignaturePage from "../../../../docs/verify-signature.md" with { type: "text" };
import whenReceiptsDoNotMatchPage from "../../../../docs/when-receipts-do-not-match.md" with { type: "text" };
import type { Language } from "../../language.ts";

/** By the name in their address: `/help/install`, `/help/fa/install`. */
export const documents: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    agents: agentsPage,
    alerts: alertsPage,
    "api-rules": apiRulesPage,
    "backup-and-restore": backupAndRestorePage,
    cli: cliPage,
    "client-libraries": clientLibrariesPage,
    compatibility: compatibilityPage,
    configuration: configurationPage,
    "connect-an-http-provider": connectAnHttpProviderPage,
    "connect-your-smsc": connectYourSmscPage,
    console: consolePage,
    "drop-in": dropInPage,
    errors: errorsPage,
    "first-message": firstMessagePage,
    glossary: glossaryPage,
    "high-availability": highAvailabilityPage,
    import: importPage,
    "inbound-rules": inboundRulesPage,
    install: installPage,
    intake: intakePage,
    "one-time-passwords": oneTimePasswordsPage,
    "operator-api": operatorApiPage,
    "ported-numbers": portedNumbersPage,
    "prices-and-quotas": pricesAndQuotasPage,
    privacy: privacyPage,
    promises: promisesPage,
    "quiet-hours": quietHoursPage,
    repair: repairPage,
    "routing-plans": routingPlansPage,
    security: securityPage,
    "sign-in": signInPage,
    sizing: sizingPage,
    "smpp-server": smppServerPage,
    smtp: smtpPage,
    suppression: suppressionPage,
    "test-keys": testKeysPage,
    "tls-and-proxies": tlsAndProxiesPage,
    troubleshooting: troubleshootingPage,
    upgrade: upgradePage,
    "verify-signature": verifySignaturePage,
    "when-receipts-do-not-match": whenReceiptsDoNotMatchPage,
    "carriers-form-example": carrierFormExamplePage,
    "carriers-infobip": carrierInfobipPage,
    "carriers-json-example": carrierJsonExamplePage,
    "carriers-kannel": carrierKannelPage,
    "carriers-kavenegar": carrierKavenegarPage,
    "carriers-smsgate": carrierSmsgatePage,
    "carriers-smsir": carrierSmsirPage,
    "carriers-telegram": carrierTelegramPage,
    "carriers-twilio-call": carrierTwilioCallPage,
    "carriers-twilio": carrierTwilioPage,
    "intake-identity": intakeIdentityPage,
    "intake-monitoring": intakeMonitoringPage,
    "intake-sites": intakeSitesPage,
    "intake-workflow": intakeWorkflowPage,
  },
  fa: {
    install: persianInstallPage,
    "first-message": persianFirstMessagePage,
    "connect-a-carrier": persianConnectACarrierPage,
    troubleshooting: persianTroubleshootingPage,
  },
};

/** The list of contents. */
export const chapters = {
  begin: ["install", "first-message", "console", "sign-in", "configuration", "cli", "glossary"],
  carriers: [
    "connect-your-smsc",
    "connect-an-http-provider",
    "when-receipts-do-not-match",
    "routing-plans",
    "ported-numbers",
    "carriers-form-example",
    "carriers-infobip",
    "carriers-json-example",
    "carriers-kannel",
    "carriers-kavenegar",
    "carriers-smsgate",
    "carriers-smsir",
    "carriers-telegram",
    "carriers-twilio-call",
    "carriers-twilio",
  ],
  customers: [
    "smpp-server",
    "smtp",
    "intake",
    "intake-identity",
    "intake-monitoring",
    "intake-sites",
    "intake-workflow",
    "import",
    "quiet-hours",
    "suppression",
    "inbound-rules",
    "one-time-passwords",
    "client-libraries",
    "verify-signature",
    "errors",
    "test-keys",
    "api-rules",
  ],
  operate: [
    "troubleshooting",
    "agents",
    "operator-api",
    "alerts",
    "backup-and-restore",
    "compatibility",
    "drop-in",
    "high-availability",
    "prices-and-quotas",
    "privacy",
    "promises",
    "repair",
    "security",
    "sizing",
    "tls-and-proxies",
    "upgrade",
  ],
} as const satisfies Record<string, readonly string[]>;
