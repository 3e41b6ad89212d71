/** Alerts by e-mail over SMTP. */
import type { MailSecurity } from "../domain/mail-security.ts";
import { trustedAuthorities } from "../platform/authorities.ts";
import type { AlertChannel } from "./channel.ts";
import { noticeText, noticeTitle } from "./notice.ts";
import type { ReadSecret } from "./receivers.ts";

export interface MailChannelOptions {
  host: string;
  port: number;
  security: MailSecurity;
  /** Null: the server requires none. */
  user: string | null;
  password: ReadSecret;
  from: string;
  to: readonly string[];
  /** PEM of an additional authority; null for none. */
  authority: string | null;
}

/** For each step of the dialogue. */
const timeoutMs = 20_000;

export function mailChannel(options: MailChannelOptions): AlertChannel {
  return {
    name: "mail",
    takes: () => true,
    send: (notice) =>
      sendMail(options, {
        to: options.to,
        id: notice.id,
        subject: noticeTitle(notice),
        text: noticeText(notice),
      }),
  };
}

export interface Mail {
  to: readonly string[];
  id: string;
  subject: string;
  text: string;
}

export async function sendMail(options: Omit<MailChannelOptions, "to">, { to, id, ...content }: Mail): Promise<void> {
  // Most installations never send mail, so startup does not load it.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportOptions(options));
  try {
    const headers = { "Auto-Submitted": "auto-generated" };
    await transport.sendMail({ from: options.from, to: [...to], headers, messageId: `<${id}@peyk>`, ...content });
  } finally {
    transport.close();
  }
}

function transportOptions({ host, port, security, user, password, authority }: Omit<MailChannelOptions, "to">) {
  const pass = password();
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user !== null && { auth: { user, pass } }),
    tls: { ca: trustedAuthorities(authority) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
