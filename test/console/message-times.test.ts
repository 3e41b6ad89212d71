/** The times in the form above the list of messages, in Persian: the Solar Hijri calendar, in the reader's zone. */
import { expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { queryOfForm, shownTimes, timesForFields } from "../../src/console/places/messages/message-times.ts";

const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now: Date.UTC(2026, 10, 22) });
const form = (fields: Record<string, string>) =>
  queryOfForm(new URLSearchParams({ shown: "/", ...fields }), persian, "staff");

test("a Persian reader types days of the Solar Hijri calendar, in either kind of digits", () => {
  expect(form({ from: "۱۴۰۵/۰۹/۰۱ ۰۸:۰۰", to: "1405/09/01" })?.query).toMatchObject({
    from: "2026-11-22T04:30:00.000Z",
    to: "2026-11-22T20:30:00.000Z",
  });
  expect(form({ from: "1405/12/30" })).toMatchObject({
    errors: { from: "زمان نیست. نمونه: ۱۴۰۵/۰۹/۰۱ ۰۸:۰۰ یا دیروز ۱۷:۵۰." },
    query: { from: "" },
    typed: { from: "1405/12/30" },
  });
});

test("the times shown in the fields are read back as the same times", () => {
  const due = "2026-11-22T20:30:00.000Z/2026-11-23T20:30:00.000Z";
  const times = { from: "2026-11-22T04:30:15.250Z", to: "2026-11-22T20:30:00.000Z", due };
  const fields = timesForFields(times, persian);
  expect(fields).toEqual({ from: "1405/09/01 08:00", to: "1405/09/02 00:00", due: "1405/09/02" });
  expect(form({ ...fields, shown: shownTimes(times) })?.query).toMatchObject(times);
  expect(form({ from: "", to: "", shown: shownTimes(times) })?.query).toMatchObject({ from: "", to: "" });
});

test("an address that no form produced is not read as a form", () => {
  expect(queryOfForm(new URLSearchParams({ from: "2026-11-22T04:30:15Z" }), persian, "staff")).toBeNull();
});
