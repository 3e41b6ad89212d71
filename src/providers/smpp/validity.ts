/** The validity period for the SMSC, in SMPP's relative time format (3.4 §7.1.1.2): `YYMMDDhhmmss000R`. */
import { smppCarrierFields } from "../../fields/smpp-carrier.ts";

const minuteMs = 60_000;

/**
 * The shorter of the message's remaining validity and the route's maximum, in whole minutes and at least one. Empty if
 * the route's maximum is 0, which leaves it to the SMSC.
 */
export function validityPeriod(remainingMs: number, minutesMax: number | null): string {
  if (minutesMax === 0) return "";
  const remaining = Math.max(1, Math.floor(remainingMs / minuteMs));
  return relativeTime(Math.min(remaining, minutesMax ?? remaining, smppCarrierFields.validityMinutes.max));
}

function relativeTime(minutes: number): string {
  const days = Math.floor(minutes / (24 * 60));
  const hours = Math.floor(minutes / 60) % 24;
  return `0000${twoDigits(days)}${twoDigits(hours)}${twoDigits(minutes % 60)}00000R`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
