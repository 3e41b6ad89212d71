/** Names of time zones, as in the IANA database. */

/** The name in its usual capitalisation if days can be counted in it, else null; the runtime's own data decides. */
export function timeZoneNamed(name: string): string | null {
  // An offset such as +03:30 would also be accepted, but has no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // If a zone has several names, the given one is kept.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return null;
  }
}

export const isTimeZone = (name: string) => timeZoneNamed(name) !== null;
