/** The permissions of an API key. A new key has all of them unless told otherwise. */

export const permissions = [
  "messages:send",
  "messages:read",
  "groups:send",
  "patterns:send",
  "otp:send",
  "inbound:read",
  "webhooks:manage",
  "senders:read",
] as const;

export type Permission = (typeof permissions)[number];

const known: ReadonlySet<string> = new Set(permissions);

export function isPermission(text: string): text is Permission {
  return known.has(text);
}
