/** Days and months of a time zone, compared with Intl for every hour. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { dateNamed, dayNamed, LocalCalendar, monthNamed } from "../../src/domain/local-calendar.ts";
import { isTimeZone } from "../../src/domain/time-zone.ts";

const zones = ["Asia/Tehran", "America/Santiago", "Pacific/Apia", "Australia/Lord_Howe", "Europe/Berlin", "UTC"];

const anyTime = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) });
const anyZone = fc.constantFrom(...zones);

/** A second implementation: the name of a day as Intl gives it. */
function nameOf(at: number, timeZone: string, calendar: string): string {
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

test("a day contains every moment with its name, and the moments next to it have another", () => {
  fc.assert(
    fc.property(anyTime, anyZone, fc.constantFrom("gregory", "persian"), (at, zone, calendar) => {
      const day = new LocalCalendar(zone, calendar).day(at);
      expect(day.name).toBe(nameOf(at, zone, calendar));
      expect(at >= day.startsAt && at < day.endsAt).toBe(true);
      for (const inside of [day.startsAt, day.endsAt - 1]) expect(nameOf(inside, zone, calendar)).toBe(day.name);
      for (const outside of [day.startsAt - 1, day.endsAt]) expect(nameOf(outside, zone, calendar)).not.toBe(day.name);
    }),
    { numRuns: 300 },
  );
});

test("a month begins on its first day, ends where the next begins, and is found by its name", () => {
  fc.assert(
    fc.property(anyTime, anyZone, fc.constantFrom("gregory", "persian"), (at, zone, calendar) => {
      const month = new LocalCalendar(zone, calendar).month(at);
      expect(at >= month.startsAt && at < month.endsAt).toBe(true);
      expect(nameOf(month.startsAt, zone, calendar)).toBe(`${month.name}-01`);
      expect(nameOf(month.startsAt - 1, zone, calendar)).not.toStartWith(month.name);
      expect(nameOf(month.endsAt - 1, zone, calendar)).toStartWith(month.name);
      expect(nameOf(month.endsAt, zone, calendar)).toEndWith("-01");
      expect(monthNamed(month.name, zone)).toEqual(month);
    }),
    { numRuns: 200 },
  );
});

test("a day is found by its name, in the Gregorian or Persian calendar according to its year", () => {
  fc.assert(
    fc.property(anyTime, anyZone, fc.constantFrom("gregory", "persian"), (at, zone, calendar) => {
      const day = new LocalCalendar(zone, calendar).day(at);
      expect(dayNamed(day.name, zone)).toEqual(day);
    }),
    { numRuns: 200 },
  );
  expect(dateNamed("1405-09-10")?.withCalendar("iso8601").toString()).toBe("2026-12-01");
  // 1403 was a leap year, 1405 is not.
  expect([dateNamed("1403-12-30"), dateNamed("2028-02-29")].includes(null)).toBe(false);
  for (const name of [
    "",
    "1405-09",
    "1405-12-30",
    "1405-07-31",
    "1405-13-01",
    "1405-00-01",
    "2026-02-29",
    "26-11-01",
  ]) {
    expect([name, dayNamed(name, "Asia/Tehran")]).toEqual([name, null]);
  }
});

test("a name that is not a month is refused", () => {
  for (const name of ["", "2026", "2026-13", "2026-00", "1405-13", "26-11", "2026-11-01", "next"]) {
    expect(monthNamed(name, "Asia/Tehran")).toBeNull();
  }
});

test("a time zone is a name, not an offset", () => {
  expect(["Asia/Tehran", "UTC", "Europe/Kyiv"].filter(isTimeZone)).toHaveLength(3);
  expect(["", "+03:30", "Mars/Olympus", "IRAN TIME"].filter(isTimeZone)).toEqual([]);
});
