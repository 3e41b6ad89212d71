/** Every operation of the operator's side, by method and path. */
import { accountErrorAdmin, accountReportAdmin } from "./account-reports.ts";
import { accountAdmin, quietHourAdmin } from "./accounts.ts";
import { alertAdmin } from "./alerts.ts";
import { auditAdmin } from "./audit.ts";
import { backupAdmin } from "./backups.ts";
import { balanceAdmin, balanceWatchAdmin } from "./balances.ts";
import { campaignAdmin } from "./campaigns.ts";
import { credentialAdmin, credentialChangeAdmin } from "./credentials.ts";
import { digestAdmin } from "./digest.ts";
import { doctorAdmin } from "./doctor.ts";
import { explainAdmin } from "./explain.ts";
import { chargesAdmin, figuresAdmin } from "./figures.ts";
import { findAdmin } from "./find.ts";
import { importPreviewAdmin } from "./group-import.ts";
import { groupAdmin } from "./groups.ts";
import { inboundAdmin } from "./inbound.ts";
import { inboundRuleAdmin } from "./inbound-rules.ts";
import { intakeAdmin } from "./intakes.ts";
import { keyAdmin } from "./keys.ts";
import { lineAdmin } from "./lines.ts";
import { approvalAdmin } from "./lists.ts";
import { messageAdmin } from "./messages.ts";
import { otpAdmin } from "./otp.ts";
import { overviewAdmin } from "./overview.ts";
import { passkeyAdmin } from "./passkeys.ts";
import { patternAdmin } from "./patterns.ts";
import { networkAdmin, planAdmin } from "./plans.ts";
import { portedNumberAdmin } from "./ported-numbers.ts";
import { priceAdmin } from "./prices.ts";
import { quotaAdmin } from "./quotas.ts";
import { recipientAdmin } from "./recipients.ts";
import { routeAdmin } from "./routes.ts";
import { senderAdmin, senderRequestAdmin } from "./senders.ts";
import { sendingAdmin } from "./sending.ts";
import { serviceAdmin, settingsAdmin } from "./service.ts";
import { simulatorAdmin } from "./simulator.ts";
import { diagnosticsAdmin, statusAdmin } from "./status.ts";
import { numberBlockAdmin, suppressionAdmin } from "./suppressions.ts";
import { userTokenAdmin } from "./user-tokens.ts";
import { colleagueAdmin, userAdmin } from "./users.ts";
import { webhookAdmin, webhookChanges } from "./webhooks.ts";

export const operations = {
  ...accountErrorAdmin,
  ...accountReportAdmin,
  ...accountAdmin,
  ...alertAdmin,
  ...approvalAdmin,
  ...auditAdmin,
  ...backupAdmin,
  ...balanceAdmin,
  ...campaignAdmin,
  ...chargesAdmin,
  ...colleagueAdmin,
  ...credentialAdmin,
  ...credentialChangeAdmin,
  ...diagnosticsAdmin,
  ...digestAdmin,
  ...doctorAdmin,
  ...explainAdmin,
  ...figuresAdmin,
  ...findAdmin,
  ...groupAdmin,
  ...importPreviewAdmin,
  ...inboundAdmin,
  ...intakeAdmin,
  ...keyAdmin,
  ...lineAdmin,
  ...inboundRuleAdmin,
  ...messageAdmin,
  ...networkAdmin,
  ...numberBlockAdmin,
  ...otpAdmin,
  ...overviewAdmin,
  ...passkeyAdmin,
  ...patternAdmin,
  ...planAdmin,
  ...portedNumberAdmin,
  ...priceAdmin,
  ...quietHourAdmin,
  ...quotaAdmin,
  ...recipientAdmin,
  ...routeAdmin,
  ...senderAdmin,
  ...senderRequestAdmin,
  ...balanceWatchAdmin,
  ...sendingAdmin,
  ...serviceAdmin,
  ...settingsAdmin,
  ...simulatorAdmin,
  ...statusAdmin,
  ...suppressionAdmin,
  ...userAdmin,
  ...userTokenAdmin,
  ...webhookAdmin,
  ...webhookChanges,
};
