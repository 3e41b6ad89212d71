/**
 * How a connection to a mail server is encrypted: with required STARTTLS, with TLS from the first byte, or not at all.
 */

export const mailSecurities = ["starttls", "tls", "none"] as const;
export type MailSecurity = (typeof mailSecurities)[number];
