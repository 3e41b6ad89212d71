import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { leavesTime, parseQuietWindow, QuietHours, type QuietWindow } from "../../src/domain/quiet-hours.ts";

const minuteMs = 60_000;
const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const zones = [
  "Asia/Tehran",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "UTC",
];

/** What a clock on a wall of the zone shows, by Intl alone. */
function clockOf(timeZone: string) {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at: number) => {
    const part = (type: string) => format.formatToParts(at).find((one) => one.type === type)?.value ?? "";
    return { day: dayNames.indexOf(part("weekday")) + 1, minute: Number(part("hour")) * 60 + Number(part("minute")) };
  };
}

function isQuiet(windows: readonly QuietWindow[], { day, minute }: { day: number; minute: number }): boolean {
  const before = day === 1 ? 7 : day - 1;
  return windows.some(({ start, end, days }) =>
    end > start
      ? days.has(day) && minute >= start && minute < end
      : (days.has(day) && minute >= start) || (days.has(before) && minute < end),
  );
}

/** The first time at or after `at` at which the wall clock shows an hour that is not quiet, searched minute by minute. */
function endByIntl(windows: readonly QuietWindow[], timeZone: string, at: number): number | null {
  const clock = clockOf(timeZone);
  let time = Math.floor(at / minuteMs) * minuteMs;
  if (!isQuiet(windows, clock(time))) return null;
  while (isQuiet(windows, clock(time))) time += minuteMs;
  return time;
}

const windowOf = (text: string): QuietWindow => {
  const window = parseQuietWindow(text);
  if (window === null) throw new Error(`${text} is no window`);
  return window;
};

const until = (texts: readonly string[], timeZone: string, at: string) => {
  const end = new QuietHours(texts.map(windowOf), timeZone).until(Date.parse(at));
  return end === null ? null : new Date(end).toISOString();
};

const hhmm = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
const windowText = fc
  .record({
    start: fc.integer({ min: 0, max: 1_439 }),
    end: fc.integer({ min: 0, max: 1_440 }),
    days: fc.subarray(dayNames),
  })
  .filter(({ start, end }) => start !== end)
  .map(({ start, end, days }) => [`${hhmm(start)}-${hhmm(end)}`, ...days].join(" "));
const windowLists = fc
  .array(windowText, { minLength: 1, maxLength: 3 })
  .filter((texts) => leavesTime(texts.map(windowOf)));

/** Any time, and just as often one within a day of a change of the zone's clocks. */
const zoneAndTime = fc.constantFrom(...zones).chain((timeZone) => {
  const from = Date.UTC(2008, 0, 1);
  const anyTime = fc.integer({ min: from, max: Date.UTC(2032, 0, 1) });
  const nearChange = fc.tuple(anyTime, fc.integer({ min: -86_400_000, max: 86_400_000 })).map(([at, offset]) => {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
    return (zoned.getTimeZoneTransition("next")?.epochMilliseconds ?? at) + offset;
  });
  return fc.record({ timeZone: fc.constant(timeZone), at: fc.oneof(anyTime, nearChange) });
});

describe("quiet hours", () => {
  test("end at the local clock time, across daylight saving and midnight, as Intl shows it", () => {
    fc.assert(
      fc.property(windowLists, zoneAndTime, (texts, { timeZone, at }) => {
        const windows = texts.map(windowOf);
        expect(new QuietHours(windows, timeZone).until(at)).toBe(endByIntl(windows, timeZone, at));
      }),
      { numRuns: 200 },
    );
  }, 180_000);

  test("give the same answer whatever was asked before", () => {
    const times = fc.array(fc.integer({ min: 0, max: 3_000_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(windowLists, times, (texts, offsets) => {
        const windows = texts.map(windowOf);
        const asked = new QuietHours(windows, "Europe/Berlin");
        const at = Date.parse("2026-10-25T00:30:00Z");
        for (const offset of offsets) {
          expect(asked.until(at + offset)).toBe(new QuietHours(windows, "Europe/Berlin").until(at + offset));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("cross midnight, and last an hour more or less in nights when clocks change", () => {
    const night = ["22:00-08:00"];
    expect(until(night, "Asia/Tehran", "2026-11-20T18:29:59Z")).toBeNull();
    expect(until(night, "Asia/Tehran", "2026-11-20T18:30:00Z")).toBe("2026-11-21T04:30:00.000Z");
    expect(until(night, "Asia/Tehran", "2026-11-21T04:29:59.999Z")).toBe("2026-11-21T04:30:00.000Z");
    expect(until(night, "Asia/Tehran", "2026-11-21T04:30:00Z")).toBeNull();
    expect(until(night, "Europe/Berlin", "2026-03-28T21:00:00Z")).toBe("2026-03-29T06:00:00.000Z");
    expect(until(night, "Europe/Berlin", "2026-10-24T20:00:00Z")).toBe("2026-10-25T07:00:00.000Z");
    // 02:30 does not exist that night.
    expect(until(["22:00-02:30"], "Europe/Berlin", "2026-03-29T00:30:00Z")).toBe("2026-03-29T01:00:00.000Z");
  });

  test("begin on their days, run into the next day, and merge when adjacent", () => {
    // A Thursday.
    expect(until(["22:00-08:00 Thu"], "UTC", "2026-11-19T23:00:00Z")).toBe("2026-11-20T08:00:00.000Z");
    expect(until(["22:00-08:00 Thu"], "UTC", "2026-11-20T23:00:00Z")).toBeNull();
    expect(until(["22:00-00:00", "00:00-07:00"], "UTC", "2026-11-20T23:00:00Z")).toBe("2026-11-21T07:00:00.000Z");
    expect(until(["00:00-24:00 Fri Sat"], "UTC", "2026-11-20T23:00:00Z")).toBe("2026-11-22T00:00:00.000Z");
  });

  test("are written as times with days, and must leave some time of the week", () => {
    const texts = ["22:00-08:00", "13:00-16:00 thu FRI", "00:00-24:00 Sun"];
    expect(texts.map((text) => [...windowOf(text).days])).toEqual([[1, 2, 3, 4, 5, 6, 7], [4, 5], [7]]);
    const wrong = [
      "",
      "22-8",
      "22:00-22:00",
      "24:00-08:00",
      "22:60-08:00",
      "25:00-08:00",
      "22:00-08:00 Foo",
      "22:00-08:00,",
    ];
    expect(wrong.map(parseQuietWindow)).toEqual(wrong.map(() => null));
    expect(leavesTime([windowOf("00:00-24:00")])).toBe(false);
    expect(leavesTime([windowOf("08:00-20:00"), windowOf("20:00-08:00")])).toBe(false);
    expect(leavesTime([windowOf("08:00-20:00"), windowOf("20:00-07:59")])).toBe(true);
  });
});
