/** The log after an unclean end: damage before acknowledged commits is refused, a tail torn by a power cut is not. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { checkLog, LogDamaged } from "../../src/store/log-check.ts";
import { temporaryFolder } from "../support/test-server.ts";

const commits = 20;
const frameBytes = 24 + 4_096;
let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let log: string;

/** A copy of files that are still open, as a crash would leave them. */
beforeEach(() => {
  folder = temporaryFolder();
  const source = join(folder.path, "source.db");
  file = join(folder.path, "crashed.db");
  log = `${file}-wal`;
  const database = new Database(source, { create: true, strict: true });
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA wal_autocheckpoint = 0");
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  for (let id = 1; id < commits; id += 1) database.run("INSERT INTO row VALUES (?, ?)", [id, "x".repeat(9_000)]);
  for (const ending of ["", "-wal"]) copyFileSync(source + ending, file + ending);
  database.close();
});
afterEach(() => folder.remove());

function rowsSeenBySqlite(): number {
  const database = new Database(file, { strict: true });
  const [row] = database.query<{ n: number }, []>("SELECT count(*) AS n FROM row").all();
  database.close();
  return row?.n ?? -1;
}

function change(offset: number, to: (byte: number) => number): void {
  const bytes = readFileSync(log);
  bytes[offset] = to(bytes[offset] ?? 0);
  writeFileSync(log, bytes);
}

test("the check reads every commit of a healthy log, and the pages that they replace", () => {
  const report = checkLog(log);
  expect(report.commits).toBe(commits);
  expect(report.pages.has(1)).toBe(true);
  expect(rowsSeenBySqlite()).toBe(commits - 1);
});

test("the check refuses a damaged frame, after which SQLite silently drops the rest", () => {
  change(32 + 5 * frameBytes + 1_000, (byte) => byte ^ 1);
  expect(() => checkLog(log)).toThrow(LogDamaged);
  expect(rowsSeenBySqlite()).toBeLessThan(commits - 1);
});

test("the check refuses one changed byte anywhere before the last two commits", () => {
  const whole = readFileSync(log);
  const lastFrames = 8 * frameBytes;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: whole.length - lastFrames }),
      fc.integer({ min: 1, max: 255 }),
      (at, flip) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        writeFileSync(log, bytes);
        expect(() => checkLog(log)).toThrow(LogDamaged);
      },
    ),
    { numRuns: 60 },
  );
});

test("the check refuses a header with another page size", () => {
  for (const byte of [0x02, 0x08, 0x20, 0x80]) {
    change(10, () => byte);
    expect(() => checkLog(log)).toThrow(LogDamaged);
  }
});

test("the check refuses a header of zeros before commits", () => {
  const bytes = readFileSync(log);
  bytes.fill(0, 0, 32);
  writeFileSync(log, bytes);
  expect(() => checkLog(log)).toThrow(LogDamaged);
});

test("the check accepts a last transaction torn by a power cut, which was never acknowledged", () => {
  const whole = readFileSync(log);
  truncateSync(log, whole.length - 1_000);
  expect(checkLog(log).commits).toBe(commits - 1);
  const hole = Buffer.from(whole);
  hole.fill(0, whole.length - 2 * frameBytes, whole.length - frameBytes);
  writeFileSync(log, hole);
  expect(checkLog(log).commits).toBe(commits - 1);
});

test("the check finds nothing in an empty log or one of an earlier run", () => {
  writeFileSync(log, new Uint8Array(32 + 3 * frameBytes));
  expect(checkLog(log)).toMatchObject({ commits: 0 });
});
