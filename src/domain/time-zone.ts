/** Names of time zones, as the IANA database has them. */

/** Whether the name is one that days can be counted in; the runtime's own data decides. */
export function isTimeZone(name: string): boolean {
  // An offset such as +03:30 would be taken, too, and knows no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
