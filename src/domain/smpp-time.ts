/** Times in SMPP 3.4 formats (§7.1): absolute with an offset in quarter hours, or relative to now. */

const form = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d)(\d{2})([+\-R])$/;
const quarterMs = 15 * 60_000;
/** UTC offsets range from -12:00 to +14:00; the field allows 48 quarters. */
const quartersMax = 48;

/** Epoch milliseconds; null if it is not such a time. `text` is not empty. */
export function parseSmppTime(text: string, now: number): number | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, tenth = 0, quarters = 0] = match
    .slice(1, 9)
    .map(Number);
  if (match[9] === "R") return relative(now, { year, month, day, hour, minute, second });
  const isReal = month >= 1 && month <= 12 && day >= 1 && hour < 24 && minute < 60 && second < 60;
  if (!isReal || quarters > quartersMax) return null;
  const local = Date.UTC(2000 + year, month - 1, day, hour, minute, second, tenth * 100);
  if (new Date(local).getUTCDate() !== day) return null;
  return local - (match[9] === "+" ? 1 : -1) * quarters * quarterMs;
}

interface Span {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** Months and years follow the calendar. */
function relative(now: number, { year, month, day, hour, minute, second }: Span): number {
  const at = new Date(now);
  const days = at.getUTCDate();
  at.setUTCMonth(at.getUTCMonth() + year * 12 + month);
  // The 31st of a shorter month would become the 1st of the next.
  if (at.getUTCDate() !== days) at.setUTCDate(0);
  return at.getTime() + ((day * 24 + hour) * 3_600 + minute * 60 + second) * 1_000;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** `YYMMDDhhmm` in UTC, as in receipts (Appendix B). */
export function receiptDate(epochMs: number): string {
  const at = new Date(epochMs);
  const year = two(at.getUTCFullYear() % 100);
  return year + two(at.getUTCMonth() + 1) + two(at.getUTCDate()) + two(at.getUTCHours()) + two(at.getUTCMinutes());
}

/** `YYMMDDhhmmss000+` (§7.1.1), in UTC. */
export function absoluteTime(epochMs: number): string {
  return `${receiptDate(epochMs)}${two(new Date(epochMs).getUTCSeconds())}000+`;
}
