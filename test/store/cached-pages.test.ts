/** A service at rest holds no pages of its database in memory. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cachedPages } from "../../src/store/cached-pages.ts";
import { temporaryFolder } from "../support/test-server.ts";

/** Octets that this process requested from the kernel while `work` ran. */
function octetsRead(work: () => unknown): number {
  const sum = () => Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
  const before = sum();
  work();
  return sum() - before;
}

test("cached pages are freed only if almost nothing was written since the last look", () => {
  const { path, remove } = temporaryFolder();
  using database = new Database(join(path, "pages.db"));
  database.run("CREATE TABLE page (content BLOB)");
  const free = cachedPages(database);
  const fill = (rows: number) =>
    database.run("INSERT INTO page SELECT zeroblob(3000) FROM json_each(?)", [JSON.stringify(Array(rows).fill(0))]);
  const readAll = () => database.query("SELECT sum(length(content)) FROM page").get();
  const tableOctets = 300 * 3000;

  fill(300);
  expect(free()).toBe(false);
  expect(octetsRead(readAll)).toBeLessThan(tableOctets);
  fill(100);
  expect(free()).toBe(true);
  expect(octetsRead(readAll)).toBeGreaterThan(tableOctets);
  fill(101);
  expect(free()).toBe(false);
  remove();
});
