/** The timestamps that clients may send, and their meaning. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseIsoTime } from "../../src/http/iso-time.ts";

const same = [
  "2026-11-20T15:36:00Z",
  "2026-11-20T15:36:00.000Z",
  "2026-11-20T15:36Z",
  "2026-11-20t15:36:00z",
  "2026-11-20T15:36:00,0Z",
  "2026-11-20T19:06:00+03:30",
  "2026-11-20T19:06:00+0330",
  "2026-11-20T18:36:00+03",
  "2026-11-21T00:36:00+09:00",
  "2026-11-20T07:36:00-08:00",
  "2026-11-20T15:36:00-00:00",
  "20261120T153600Z",
  "20261120T1906+0330",
  "2026-324T15:36:00Z",
  "2026324T153600Z",
  "2026-W47-5T15:36:00Z",
  "2026W475T1906+0330",
  "2026-11-20T15.6Z",
  "2026-11-20T15:36,0Z",
  "2026-11-20T15:36:00.000999Z",
];
test.each(same)("%s is read as the same moment", (text) => {
  expect(parseIsoTime(text)).toBe(Date.UTC(2026, 10, 20, 15, 36));
});

const none = [
  "",
  "now",
  "1763653000",
  "2026-11-20",
  "2026-11-20T15:36:00",
  "2026-11-20T15:36:00 Z",
  "2026-11-20 15:36:00Z",
  " 2026-11-20T15:36:00Z",
  "2026-11-20T15:36:00Z\n",
  "2026-11-20T15:36:60Z",
  "2026-11-20T23:59:60Z",
  "2026-11-30T23:59:60+03:30",
  "2026-11-30T23:59:61Z",
  "2026-11-20T15:60:00Z",
  "2026-11-20T24:00:01Z",
  "2026-11-20T24:00:00.5Z",
  "2026-11-20T25Z",
  "2026-000T15:36:00Z",
  "2026-366T15:36:00Z",
  "2026-W00-1T15:36:00Z",
  "2025-W53-1T15:36:00Z",
  "2026-W47-0T15:36:00Z",
  "2026-W47-8T15:36:00Z",
  "2026-W47T15:36:00Z",
  "2026W47-5T153600Z",
  "2026-11-20T15:36:00+24:00",
  "2026-11-20T15:36:00+03:60",
  "2026-11-20T15:36:00.Z",
  "2026-11-20T15:36:00.0000000001Z",
  "2026-00-20T15:36:00Z",
  "2026-13-20T15:36:00Z",
  "2026-11-00T15:36:00Z",
  "2026-11-31T15:36:00Z",
  "2026-02-29T15:36:00Z",
  "2100-02-29T15:36:00Z",
  "26-11-20T15:36:00Z",
  "+002026-11-20T15:36:00Z",
  "2026-1120T15:36:00Z",
  "۲۰۲۶-۱۱-۲۰T15:36:00Z",
];
test.each(none)("%p is not a time stamp", (text) => {
  expect(parseIsoTime(text)).toBeNull();
});

test("a thousand time stamps in a row are not a time stamp", () => {
  expect(parseIsoTime("2026-11-20T15:36:00Z".repeat(1000))).toBeNull();
});

test("an hour alone, the end of a day and a leap second are valid moments", () => {
  expect(parseIsoTime("2026-11-20T18Z")).toBe(Date.UTC(2026, 10, 20, 18));
  expect(parseIsoTime("20261120T2130+0330")).toBe(Date.UTC(2026, 10, 20, 18));
  for (const text of ["2026-11-20T24:00:00Z", "2026-11-20T24Z", "20261120T2400Z", "2026-11-21T03:30+03:30"]) {
    expect(parseIsoTime(text)).toBe(Date.UTC(2026, 10, 21));
  }
  for (const text of ["2026-12-31T23:59:60Z", "2027-01-01T03:29:60+03:30", "2026-365T235960Z".replace("-", "")]) {
    expect(parseIsoTime(text)).toBe(Date.UTC(2027, 0, 1));
  }
  expect(parseIsoTime("2026-12-31T23:59:60.5Z")).toBe(Date.UTC(2027, 0, 1, 0, 0, 0, 500));
});

test("weeks begin on Monday, and the first contains 4 January", () => {
  expect(parseIsoTime("2026-W01-1T00Z")).toBe(Date.UTC(2025, 11, 29));
  expect(parseIsoTime("2026-W53-7T00Z")).toBe(Date.UTC(2027, 0, 3));
  expect(parseIsoTime("2028-366T00Z")).toBe(Date.UTC(2028, 11, 31));
});

test("leap days exist in leap years only, and years below 100 are not moved into the last century", () => {
  expect(parseIsoTime("2028-02-29T00:00:00Z")).toBe(Date.UTC(2028, 1, 29));
  expect(parseIsoTime("2000-02-29T00:00:00Z")).toBe(Date.UTC(2000, 1, 29));
  expect(parseIsoTime("0050-01-01T00:00:00Z")).toBe(Date.parse("0050-01-01T00:00:00Z"));
});

test("every time stamp that JavaScript writes is read back", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true }),
      (date) => {
        expect(parseIsoTime(date.toISOString())).toBe(date.getTime());
      },
    ),
  );
});
