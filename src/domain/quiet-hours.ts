/** Quiet hours: weekly windows in local time during which messages wait. */

/**
 * `days`: the days on which the window begins, 1 for Monday to 7 for Sunday. If `end` is not after `start`, it ends on
 * the next day.
 */
export interface QuietWindow {
  /** Minutes of the day. */
  start: number;
  end: number;
  days: ReadonlySet<number>;
}

const dayMinutes = 1_440;
const weekMinutes = 7 * dayMinutes;
const minuteMs = 60_000;
/** In the order of Temporal's `dayOfWeek`. */
const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const everyDay: ReadonlySet<number> = new Set(dayNames.keys().map((index) => index + 1));

const windowPattern = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})((?: [A-Za-z]{3})*)$/;

/** `22:00-08:00`, or `13:00-16:00 Thu Fri` with the days on which it begins; null for anything else. */
export function parseQuietWindow(text: string): QuietWindow | null {
  const [, startHour, startMinute, endHour, endMinute, words = ""] = windowPattern.exec(text.trim()) ?? [];
  const start = minuteOf(startHour, startMinute);
  const end = minuteOf(endHour, endMinute);
  if (start === null || end === null || start === end || start === dayMinutes) return null;
  const days = words.split(" ").flatMap((word) => (word === "" ? [] : [dayOf(word)]));
  if (days.includes(0)) return null;
  return { start, end, days: days.length === 0 ? everyDay : new Set(days) };
}

function minuteOf(hour: string | undefined, minute: string | undefined): number | null {
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) <= 59 && minutes <= dayMinutes ? minutes : null;
}

/** 0 if the word is not a day. */
const dayOf = (word: string) => dayNames.findIndex((name) => name.toLowerCase() === word.toLowerCase()) + 1;

/** True if the windows leave some time of the week for sending. */
export function leavesTime(windows: readonly QuietWindow[]): boolean {
  for (let minute = 0; minute < weekMinutes; minute += 1) {
    const day = Math.floor(minute / dayMinutes) + 1;
    if (minutesLeft(windows, day, minute % dayMinutes) === 0) return true;
  }
  return false;
}

/** Minutes until the end of the last window that contains this minute of the day; 0 if none does. */
function minutesLeft(windows: readonly QuietWindow[], day: number, minute: number): number {
  const dayBefore = day === 1 ? 7 : day - 1;
  let left = 0;
  for (const { start, end, days } of windows) {
    const isOvernight = end <= start;
    if (days.has(day) && minute >= start && (isOvernight || minute < end)) {
      left = Math.max(left, end - minute + (isOvernight ? dayMinutes : 0));
    }
    if (isOvernight && days.has(dayBefore) && minute < end) left = Math.max(left, end - minute);
  }
  return left;
}

/** True if one of these windows contains this time, in epoch milliseconds. */
export function isWithinWindows(windows: readonly string[], at: number, timeZone: string): boolean {
  const { dayOfWeek, hour, minute } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
  const parsed = windows.flatMap((text) => parseQuietWindow(text) ?? []);
  return minutesLeft(parsed, dayOfWeek, hour * 60 + minute) > 0;
}

export class QuietHours {
  readonly #windows: readonly QuietWindow[];
  readonly #timeZone: string;
  /** The last minute checked: an answer takes 3 to 40 µs, and a batch checks every message. */
  #minute = Number.NaN;
  #until: number | null = null;

  /** `windows` must leave some time (see `leavesTime`). */
  constructor(windows: readonly QuietWindow[], timeZone: string) {
    this.#windows = windows;
    this.#timeZone = timeZone;
  }

  /** The end of the quiet hours that contain this time, in epoch milliseconds; null if there are none. */
  until(at: number): number | null {
    const minute = Math.floor(at / minuteMs);
    if (minute !== this.#minute) {
      this.#until = this.#endOf(minute * minuteMs);
      this.#minute = minute;
    }
    return this.#until;
  }

  /**
   * Windows follow wall-clock time: the hour repeated in autumn is quiet twice, and a window in the hour skipped in
   * spring ends with it. So the end is searched for from one clock change to the next.
   */
  #endOf(at: number): number | null {
    let time = at;
    for (;;) {
      const zoned = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(this.#timeZone);
      const left = minutesLeft(this.#windows, zoned.dayOfWeek, zoned.hour * 60 + zoned.minute);
      if (left === 0) return time === at ? null : time;
      const change = zoned.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
      time = Math.min(time + left * minuteMs, change);
    }
  }
}
