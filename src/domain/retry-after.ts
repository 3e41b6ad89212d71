/** Parses a Retry-After header: how long a receiver or carrier asks us to wait. */

/** Longer waits are limited to an hour (docs/api-rules.md, "Webhooks"). */
const retryAfterMsMax = 3_600_000;

/**
 * RFC 9110 §5.6.7: the current format, and the two obsolete ones that must be accepted. Date.parse by itself accepts
 * "1" and "tomorrow 5".
 */
const datePatterns = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

function dateMs(value: string): number {
  const form = datePatterns.findIndex((pattern) => pattern.test(value));
  if (form === -1) return Number.NaN;
  return Date.parse(form === 2 ? `${value} GMT` : value);
}

/** Milliseconds from `now` (epoch ms), at most an hour, never negative; null if the header is missing or invalid. */
export function retryAfterMs(value: string | null, now: number): number | null {
  const text = value?.trim() ?? "";
  const wanted = /^\d+$/.test(text) ? Number(text) * 1000 : dateMs(text) - now;
  return Number.isNaN(wanted) ? null : Math.min(Math.max(wanted, 0), retryAfterMsMax);
}
