/** Opens the mails to customers' people, by the mail server of `[alerts]`. */
import { type MailChannelOptions, sendMail } from "../alerts/mail-channel.ts";
import { hostPortOf } from "../config/host-port.ts";
import type { Settings } from "../config/settings.ts";
import { portalMails } from "../console/server/portal-mails.ts";
import { readCertificates } from "../platform/ca-file.ts";
import { readSecretFile } from "../platform/secret-file.ts";
import type { ServerStorage } from "./storage.ts";

/** Null if no mail server is set. */
export function mailSender({
  settings,
  random,
  sendMail: given,
}: Pick<ServerStorage, "settings" | "random" | "sendMail">) {
  if (given !== undefined) return given;
  const options = mailOptions(settings);
  if (options === null) return null;
  return (to: string, subject: string, text: string) =>
    sendMail(options, { to: [to], id: random.uuid(), subject, text });
}

export function openPortalMails(storage: ServerStorage) {
  const { settings, clock, log } = storage;
  return portalMails({
    service: settings.portal.name.trim() || settings.console.name,
    send: mailSender(storage),
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
