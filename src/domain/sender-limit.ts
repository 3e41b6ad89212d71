/**
 * Maximum length of an alphanumeric sender on a route: GSM phones show at most 11 characters (3GPP TS 23.040 §9.1.2.5).
 */

/** The route file's key. */
export const senderLimitKey = "alphanumericSenderMax";

/** True if a route with this file accepts the sender. Numbers are not limited. */
export function takesSender(file: Readonly<Record<string, unknown>>, sender: string): boolean {
  const limit = file[senderLimitKey];
  return typeof limit !== "number" || /^\+?\d+$/.test(sender) || sender.length <= limit;
}
