/** Names of time zones, as the IANA database has them. */

/** The name in its usual spelling where days can be counted in it, else null; the runtime's own data decides. */
export function timeZoneNamed(name: string): string | null {
  // An offset such as +03:30 would be taken, too, and knows no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // One of several names of a zone stays the one that was written.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return null;
  }
}

export const isTimeZone = (name: string) => timeZoneNamed(name) !== null;
