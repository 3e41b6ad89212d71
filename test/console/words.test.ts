import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { byteScales } from "../../src/console/format/format.ts";
import { sharedWords } from "../../src/console/words/words.ts";

const root = join(import.meta.dir, "..", "..", "src", "console", "places");

/** The words of the console's places, by the names of their tables: `plansWords`. */
const ofPlaces: [name: string, { en: object; fa: object }][] = [];
for (const file of [...new Glob("*/words.ts").scanSync(root)].sort()) {
  const tables: Record<string, { en: object; fa: object }> = await import(join(root, file));
  ofPlaces.push(...Object.entries(tables));
}
const all = (language: "en" | "fa") => ({
  ...sharedWords[language],
  ...Object.fromEntries(ofPlaces.map(([name, words]) => [name, words[language]])),
});
const [en, fa] = [all("en"), all("fa")];

type Entry = readonly [path: string, text: string];

/** Replaces any argument of a sentence, a count or a text, and has no letter of either script. */
const filler = (value: number) => ({ value, text: "۲", toString: () => "۲" });

/** Asked for one and for many: each has its own plural. */
function said(value: unknown): string {
  if (typeof value !== "function") return String(value);
  const asked = [1, 2].map((count): unknown => value(...Array.from({ length: value.length }, () => filler(count))));
  return asked.join(" ");
}

/** It takes a name of its own list, which no filler can replace. */
function byteEntries(bytes: (typeof sharedWords)["en"]["units"]["bytes"]): Entry[] {
  return byteScales.map((scale): Entry => [`units.bytes.${scale}`, bytes({ value: 2, text: "۲" }, scale)]);
}

function entries(words: object, path = ""): Entry[] {
  return Object.entries(words).flatMap(([key, value]): Entry[] => {
    const here = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object" && value !== null) return entries(value, here);
    return here === "units.bytes" ? byteEntries(value) : [[here, said(value)]];
  });
}

/** Names that are in Latin letters in Persian, too. */
const latinNames = ["Peyk-Campaign", "API", "CSV", "SMPP", "HTTP", "curl"];

test("both languages have the same words, and none is empty", () => {
  expect(ofPlaces.length).toBeGreaterThan(25);
  const [english, persian] = [entries(en), entries(fa)];
  expect(persian.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort());
  expect([...english, ...persian].filter(([, text]) => text.trim() === "")).toEqual([]);
});

test("the Persian words contain no English", () => {
  const strip = (text: string) => latinNames.reduce((rest, name) => rest.replaceAll(name, ""), text);
  expect(entries(fa).filter(([, text]) => /[A-Za-z]/.test(strip(text)))).toEqual([]);
});

test("Persian words use Persian letters and digits", () => {
  expect(entries(fa).filter(([, text]) => /[يك٠-٩0-9]/.test(text))).toEqual([]);
});

test("no sentence is the same in both languages", () => {
  const persian = new Map(entries(fa));
  const same = entries(en).filter(([path, text]) => persian.get(path) === text && /[A-Za-z]{2}/.test(text));
  expect(same.map(([path]) => path)).toEqual(["actions.csv", "routeWords.kind.smpp", "routeWords.kind.http"]);
});

/** Read by a computed key, `say[limit.is]`, or by the pages that import a file into any list. */
const computed =
  /^(?:alertsWords\.(?:over|under)|passwordsWords\.\w+|usersWords\.(?:reset|disable)|(?:groups|suppression)Words\.(?:noFile|done|back))$/;

test("every word of a place is used by one of its files, or by one that imports its table", async () => {
  const files = [...new Glob("**/*.{ts,tsx}").scanSync(join(root, ".."))].filter((file) => !/words\.ts$/.test(file));
  const sources = await Promise.all(files.map((file) => Bun.file(join(root, "..", file)).text()));
  const unsaid = ofPlaces.flatMap(([name, words]) => {
    const readers = sources.filter((source) => source.includes(name)).join("\n");
    const isSaid = (key: string) => new RegExp(`[.{,"]\\s*${key}\\b`).test(readers);
    return Object.keys(words.en).flatMap((key) => (isSaid(key) ? [] : [`${name}.${key}`]));
  });
  expect(unsaid.filter((path) => !computed.test(path))).toEqual([]);
});
