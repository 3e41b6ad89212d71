/** How a connection to a mail server is encrypted: required by STARTTLS, from the first octet, or not at all. */

export const mailSecurities = ["starttls", "tls", "none"] as const;
export type MailSecurity = (typeof mailSecurities)[number];
