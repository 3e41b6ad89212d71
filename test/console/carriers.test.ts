/** The carriers that have a form for adding a route: their names in both languages. */
import { expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { carrierTitle } from "../../src/console/places/routes/carrier.ts";
import { carrierCatalogue } from "../../src/providers/http/catalogue.ts";

const [english, persian] = (["en", "fa"] as const).map((language) =>
  createLocale({ language, zone: "Asia/Tehran", now: 0 }),
);
if (english === undefined || persian === undefined) throw new Error("no locale");

const choices = carrierCatalogue().map((entry) => ({ ...entry, file: "" }));
/** Names are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;

test.each(choices.map((choice) => [choice.name, choice] as const))("%s is described in both languages", (_, choice) => {
  expect(carrierTitle(choice, english)).toBe(choice.title);
  expect(carrierTitle(choice, persian).replace(isolated, "")).not.toMatch(/[A-Za-z0-9]/);
});
