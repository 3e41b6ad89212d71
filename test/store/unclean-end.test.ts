/** A start after an unclean end, beside another program that has the database open. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dropCachedPages } from "../../src/platform/page-cache.ts";
import { checkAfterUncleanEnd, DiskUnreadable } from "../../src/store/unclean-end.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder.path, "peyk.db");
});
afterEach(() => folder.remove());

function openedElsewhere(): Database {
  const database = new Database(path, { create: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("CREATE TABLE message (text TEXT)");
  return database;
}

test("a log that another program checkpoints meanwhile is not reported as damage", () => {
  const other = openedElsewhere();
  expect(existsSync(`${path}-wal`)).toBe(true);
  const endsMeanwhile = (file: string) => {
    if (file.endsWith("-wal")) other.close();
    dropCachedPages(file);
  };
  checkAfterUncleanEnd(path, endsMeanwhile);
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("a disk that refuses to be read is reported as such", () => {
  const other = openedElsewhere();
  const refuses = () => {
    throw new Error("EIO: i/o error, fsync");
  };
  expect(() => checkAfterUncleanEnd(path, refuses)).toThrow(DiskUnreadable);
  other.close();
});
