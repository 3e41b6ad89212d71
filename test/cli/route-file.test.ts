/** The files that a route's file names for its secrets. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFileOrNull } from "../../src/cli/io.ts";
import { readRouteFile } from "../../src/cli/route-file.ts";
import { routeKinds } from "../../src/providers/route-kinds.ts";
import { temporaryFolder } from "../support/test-server.ts";

const io = {
  env: {},
  out: () => {},
  err: () => {},
  readFile: readFileOrNull,
  stream: async () => {},
  readStdin: () => Promise.resolve(""),
  errIsTerminal: false,
};

test("every secret of every route kind can be given as a file, relative to the route file", async () => {
  const folder = temporaryFolder();
  try {
    const keys = [...new Set(Object.values(routeKinds).flatMap(({ secretKeys }) => secretKeys))];
    expect(keys).toContain("callbackKey");
    mkdirSync(join(folder.path, "secrets"));
    for (const key of keys) writeFileSync(join(folder.path, "secrets", key), `of ${key}\n`);
    const path = join(folder.path, "route.json");
    writeFileSync(path, JSON.stringify(Object.fromEntries(keys.map((key) => [`${key}File`, `secrets/${key}`]))));
    expect(await readRouteFile(io, path)).toEqual(Object.fromEntries(keys.map((key) => [key, `of ${key}`])));
  } finally {
    folder.remove();
  }
});
