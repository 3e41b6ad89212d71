/** The house's walls: who may import whom, and what no source file may hold. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Glob } from "bun";

const root = join(import.meta.dir, "..");
const files = [...new Glob("src/**/*.ts").scanSync(root)].sort();

interface Import {
  file: string;
  /** A path from the root for our own files, else the package's name. */
  target: string;
}

const statement = /^(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm;

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), "utf8");
  return [...source.matchAll(statement)].map(([, specifier = ""]) => ({
    file,
    target: specifier.startsWith(".") ? relative(root, join(root, file, "..", specifier)) : specifier,
  }));
}

const imports = files.flatMap(importsOf);
const roomOf = (path: string): string => path.split("/")[1] ?? "";

/** What each room may know besides itself. `server/` is the composition root and may know everything. */
const mayKnow: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  platform: [],
  metrics: ["domain", "platform"],
  config: ["platform", "domain"],
  store: ["domain", "platform"],
  providers: ["domain", "platform"],
  messaging: ["store", "domain", "platform"],
  dispatch: ["store", "domain", "platform", "providers"],
  inbound: ["store", "domain", "platform", "providers"],
  webhooks: ["store", "domain", "platform"],
  http: ["messaging", "inbound", "webhooks", "providers", "store", "config", "domain", "platform"],
  operator: ["messaging", "dispatch", "inbound", "webhooks", "providers", "store", "config", "domain", "platform"],
  console: ["operator", "messaging", "dispatch", "inbound", "webhooks", "store", "config", "domain", "platform"],
  cli: ["operator", "messaging", "providers", "config", "domain", "platform", "store"],
};

test("every room imports only the rooms that it may know", () => {
  const trespasses = imports.filter(({ file, target }) => {
    if (!target.startsWith("src/")) return false;
    const from = roomOf(file);
    const to = roomOf(target);
    const known = mayKnow[from];
    return known !== undefined && from !== to && !known.includes(to);
  });
  // The command line starts the appliance; nobody else may.
  expect(
    trespasses.filter(({ file, target }) => !(roomOf(file) === "cli" && target === "src/server/server.ts")),
  ).toEqual([]);
});

test("dispatch and inbound know of a provider only its interface", () => {
  const inside = imports.filter(
    ({ file, target }) =>
      ["dispatch", "inbound"].includes(roomOf(file)) &&
      target.startsWith("src/providers/") &&
      target !== "src/providers/provider.ts",
  );
  expect(inside).toEqual([]);
});

test("only the store speaks SQL, and only the faces speak HTTP through elysia", () => {
  const faces = ["http", "operator", "console", "cli"];
  const sql = imports.filter(
    ({ file, target }) => /^(bun:sqlite|drizzle-orm)/.test(target) && roomOf(file) !== "store",
  );
  const web = imports.filter(({ file, target }) => /^@?elysia/.test(target) && !faces.includes(roomOf(file)));
  expect({ sql, web }).toEqual({ sql: [], web: [] });
});

test("every file opens with a sentence that says what it is for, and none is long", () => {
  const silent: string[] = [];
  const long: string[] = [];
  for (const file of files.filter((one) => !one.endsWith(".d.ts"))) {
    const source = readFileSync(join(root, file), "utf8");
    if (!source.replace(/^#!.*\n/, "").startsWith("/**")) silent.push(file);
    if (source.split("\n").length > 400) long.push(file);
  }
  expect({ silent, long }).toEqual({ silent: [], long: [] });
});

test("the compiler is never silenced", () => {
  const directive = /@ts-ignore|@ts-expect-error|@ts-nocheck|biome-ignore/;
  const untyped = /[\w)\]?]: any\b|\bas any\b|<any\b|\bany\[\]|as unknown as/;
  const wording = /^\s*(\/\/|\/?\*).*$|"(?:[^"\\\n]|\\.)*"/gm;
  const silenced = files.filter((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return directive.test(source) || untyped.test(source.replace(wording, ""));
  });
  expect(silenced).toEqual([]);
});

test("everything in package.json is pinned exactly", async () => {
  const { dependencies, devDependencies } = await import("../package.json");
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
  expect(loose).toEqual([]);
});
