import { expect, test } from "bun:test";
import fc from "fast-check";
import { namedMoments } from "../../src/console/components/chart-scale.ts";
import { cleanInput, momentForField, parseMoment, parseWholeNumber } from "../../src/console/format/input.ts";
import { languages } from "../../src/console/language.ts";
import { createLocale } from "../../src/console/locale.ts";

const zone = "Asia/Tehran";
/** 21:35:00 in Tehran on the 30th of Aban 1405. */
const now = Date.UTC(2026, 10, 21, 18, 5, 0);
const en = createLocale({ language: "en", zone, now }).format;
const fa = createLocale({ language: "fa", zone, now }).format;

test("a time is written in the language's calendar and the user's zone", () => {
  expect([en.clock(now), fa.clock(now)]).toEqual(["21:35", "۲۱:۳۵"]);
  expect([en.date(now), fa.date(now)]).toEqual(["21 Nov 2026", "۳۰ آبان ۱۴۰۵"]);
  expect([en.weekday(now), fa.weekday(now)]).toEqual(["Saturday", "شنبه"]);
  expect(createLocale({ language: "en", zone: "UTC", now }).format.clock(now)).toBe("18:05");
  expect(en.utc(now)).toBe("2026-11-21 18:05:00 UTC");
});

test("a month is one of the calendar of the settings, named in the reader's language", () => {
  const named = (calendar: "gregory" | "persian") =>
    languages.map((language) => createLocale({ language, zone, calendar, now }).format.month(now));
  expect(named("gregory")).toEqual(["Nov 2026", "نوامبر ۲۰۲۶"]);
  expect(named("persian")).toEqual(["Aban 1405", "آبان ۱۴۰۵"]);
});

test("days name the month where one of the reader's own calendar begins", () => {
  const days = [20, 21, 22, 23].map((day) => Date.UTC(2026, 10, day, 6));
  const names = ({ format }: ReturnType<typeof createLocale>) =>
    namedMoments(days, "day", format).map(({ text }) => text);
  for (const calendar of ["gregory", "persian"] as const) {
    expect(names(createLocale({ language: "en", zone, calendar, now }))).toEqual(["20 Nov", "21", "22", "23"]);
    expect(names(createLocale({ language: "fa", zone, calendar, now }))).toEqual(["۲۹ آبان", "۳۰", "۱ آذر", "۲"]);
  }
});

test("a time of today is a clock time, other days add the day, and other years the year", () => {
  const morning = Date.UTC(2026, 10, 22, 4, 30);
  expect([en.moment(now), fa.moment(now)]).toEqual(["21:35:00", "۲۱:۳۵:۰۰"]);
  expect([en.moment(morning), fa.moment(morning)]).toEqual(["22 Nov, 08:00", "۱ آذر، ۰۸:۰۰"]);
  expect([en.minute(now), fa.minute(now)]).toEqual(["21:35", "۲۱:۳۵"]);
  expect(en.minute(morning)).toBe("22 Nov, 08:00");
  expect([en.day(Date.UTC(2025, 1, 4)), fa.day(Date.UTC(2025, 1, 4))]).toEqual(["4 Feb 2025", "۱۶ بهمن ۱۴۰۳"]);
});

test("a day begins at midnight of the zone, not of UTC", () => {
  const beforeMidnight = Date.UTC(2026, 10, 21, 20, 29, 59);
  expect([en.isToday(beforeMidnight), en.isToday(beforeMidnight + 1000)]).toEqual([true, false]);
});

test("a duration is written in a sensible unit", () => {
  const written = [0, 850, 2400, 71_400, 180_000, 7_200_000, 3 * 86_400_000].map((ms) => en.duration(ms));
  expect(written).toEqual(["0 ms", "850 ms", "2.4 s", "71 s", "3 minutes", "2 hours", "3 days"]);
  expect([fa.duration(2400), fa.duration(180_000)]).toEqual(["۲٫۴ ثانیه", "۳ دقیقه"]);
});

test('a list ends with the language\'s word for "and"', () => {
  expect([en.list(["a", "b", "c"]), fa.list(["الف", "ب", "پ"])]).toEqual(["a, b, and c", "الف،\u200f ب و پ"]);
  expect([fa.list([]), fa.list(["الف"]), fa.list(["الف", "ب"])]).toEqual(["", "الف", "الف و ب"]);
});

test("numbers, shares, money and sizes are written in the language's form", () => {
  expect([en.number(18_400), fa.number(18_400)]).toEqual(["18,400", "۱۸٬۴۰۰"]);
  expect([en.plain(1405), fa.plain(1405)]).toEqual(["1405", "۱۴۰۵"]);
  expect([en.currencyName("IRR"), fa.currencyName("IRR")]).toEqual(["rials", "ریال"]);
  expect([en.money(1_250_000), fa.money(1_250_000)]).toEqual(["1,250,000 rials", "۱٬۲۵۰٬۰۰۰ ریال"]);
  expect([en.bytes(999), en.bytes(1_500_000), fa.bytes(1_500_000)]).toEqual(["999 B", "1.5 MB", "۱٫۵ مگابایت"]);
  expect([en.percent(0.9741), fa.percent(0.9741)]).toEqual(["97.4%", "۹۷٫۴٪"]);
});

test("zero is written without a sign", () => {
  expect([en.number(-0), fa.number(-0), en.decimal(-0.04), en.plain(-0), en.short(-0)]).toEqual([
    "0",
    "۰",
    "0",
    "0",
    "0",
  ]);
  expect([en.money(-0), en.amount(-0, "EUR"), en.number(-5)]).toEqual(["0 rials", "EUR\u00a00.00", "-5"]);
});

test("less than all is never written as 100.0%, and more than nothing never as 0.0%", () => {
  expect([en.percent(0.99999), en.percent(0.00001), en.percent(1), en.percent(0)]).toEqual([
    "99.9%",
    "0.1%",
    "100.0%",
    "0.0%",
  ]);
});

test("digits and letters of either script are read", () => {
  expect(cleanInput(" \u200f۰۹۱۲٣٤٥ كيک ")).toBe("092123345 کیک".replace("092123345", "0912345"));
  expect([parseWholeNumber("۱٬۲۵۰٬۰۰۰"), parseWholeNumber("1,204"), parseWholeNumber("12x")]).toEqual([
    1_250_000,
    1204,
    null,
  ]);
});

test("a date is read in the language's calendar, and a day that does not exist is refused", () => {
  expect(parseMoment("۱۴۰۵/۰۸/۳۰ ۲۱:۳۵", { zone, now })).toBe(now);
  expect(parseMoment("2026-11-21 21:35", { zone, now })).toBe(now);
  // The year tells the calendar, in every language.
  expect(parseMoment("۲۰۲۶/۱۱/۲۱ ۲۱:۳۵", { zone, now })).toBe(now);
  expect(parseMoment("1405-08-30 21:35", { zone, now })).toBe(now);
  expect(parseMoment("1405/08/30", { zone, now })).toBe(Date.UTC(2026, 10, 20, 20, 30));
  // 1403 was a leap year, 1405 is not.
  expect(parseMoment("1403/12/30", { zone, now })).not.toBeNull();
  const none = [
    "1405/12/30",
    "1405/13/01",
    "1405/07/31",
    "1405/01/00",
    "1405/01/01 24:00",
    "someday",
    "today 24:00",
    "yesterday17:50",
    "",
  ];
  expect(none.map((text) => parseMoment(text, { zone, now }))).toEqual(none.map(() => null));
});

test("a moment is also read relative to now, in either language and in the reader's zone", () => {
  const at = (text: string) => parseMoment(text, { zone, now });
  const yesterday = Date.UTC(2026, 10, 20, 14, 20);
  for (const text of ["yesterday 17:50", "Yesterday, 17:50", "دیروز ۱۷:۵۰", "دیروز، 17:50"])
    expect(at(text)).toBe(yesterday);
  expect([at("17:50"), at("today 17:50"), at("امروز ۱۷:۵۰")]).toEqual(Array(3).fill(yesterday + 86_400_000));
  expect([at("today"), at("tomorrow"), at("فردا")]).toEqual([20, 21, 21].map((day) => Date.UTC(2026, 10, day, 20, 30)));
});

test("every minute that a field shows is read back as the same minute", () => {
  const minute = fc.integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2090, 0) / 60_000 });
  // Without zones that set their clocks back: there, one hour occurs twice.
  const zones = fc.constantFrom("UTC", "Asia/Kabul", "Asia/Dubai");
  fc.assert(
    fc.property(minute, fc.constantFrom(...languages), zones, (minutes, language, oneZone) => {
      const at = minutes * 60_000;
      expect(parseMoment(momentForField(at, language, oneZone), { zone: oneZone, now })).toBe(at);
    }),
  );
});
