/** Opens the mails to customers' people, by the mail server of `[alerts]`. */
import { type MailChannelOptions, sendMail } from "../alerts/mail-channel.ts";
import { hostPortOf } from "../config/host-port.ts";
import type { Settings } from "../config/settings.ts";
import { portalMails } from "../console/server/portal-mails.ts";
import { readCertificates } from "../platform/ca-file.ts";
import { readSecretFile } from "../platform/secret-file.ts";
import type { ServerStorage } from "./storage.ts";

export function openPortalMails({ settings, clock, random, log }: ServerStorage) {
  const options = mailOptions(settings);
  return portalMails({
    service: settings.portal.name.trim() || settings.console.name,
    send:
      options === null
        ? null
        : (to, subject, text) => sendMail(options, { to: [to], id: random.uuid(), subject, text }),
    clock,
    log,
  });
}

/** Null if no mail server is set. */
function mailOptions({ alerts, webhooks }: Settings): Omit<MailChannelOptions, "to"> | null {
  const { smtpServer, smtpSecurity: security, smtpUser, smtpPasswordFile, mailFrom: from } = alerts;
  if (smtpServer === "" || from === "") return null;
  const { hostname: host, port } = hostPortOf(smtpServer);
  const password = () => (smtpPasswordFile === null ? "" : readSecretFile(smtpPasswordFile));
  const authority = webhooks.caFile === null ? null : readCertificates(webhooks.caFile);
  return { host, port, security, user: smtpUser === "" ? null : smtpUser, password, from, authority };
}
