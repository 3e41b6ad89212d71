import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgetKeptDatabases } from "../../src/platform/kept-databases.ts";
import { silentLog } from "../../src/platform/log.ts";
import { temporaryFolder } from "../support/test-server.ts";

test("old databases are deleted after their days, and nothing else is", () => {
  const folder = temporaryFolder();
  const now = Date.parse("2026-11-21T00:00:00Z");
  const place = (name: string, keptAt: string) => {
    const path = join(folder.path, name);
    if (name === "before-upgrade") mkdirSync(path);
    else writeFileSync(path, "x");
    utimesSync(path, new Date(keptAt), new Date(keptAt));
  };
  place("peyk.db", "2026-01-01T00:00:00Z");
  place("before-migration-7.db", "2026-10-01T00:00:00Z");
  place("before-migration-8.db", "2026-11-01T00:00:00Z");
  place("before-migration-9.db.new", "2026-10-01T00:00:00Z");
  place("before-migration-9.db.new-journal", "2026-10-01T00:00:00Z");
  place("before-upgrade", "2026-10-01T00:00:00Z");
  // Its content was written long before it was set aside.
  place("peyk.db.before-restore-20261115T120000Z", "2026-01-01T00:00:00Z");
  place("peyk.db.before-restore-20261001T120000Z", "2026-01-01T00:00:00Z");
  place("peyk.db.before-restore-20261001T120000Z-wal", "2026-01-01T00:00:00Z");
  forgetKeptDatabases({ dataDir: folder.path, now: () => now, log: silentLog, days: 30 });
  expect(readdirSync(folder.path).sort()).toEqual([
    "before-migration-8.db",
    "peyk.db",
    "peyk.db.before-restore-20261115T120000Z",
  ]);
  folder.remove();
});
