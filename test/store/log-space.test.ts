/** Preallocated space of the log: commits use it, it never overwrites another program's data, and writes beyond it are checked. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { checkLog } from "../../src/store/log-check.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { ThinVolume, whyNoThinVolume } from "../fault/thin-volume.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  area = temporaryFolder();
  store = openStore({ folder: join(area.path, "data"), now: 1 });
});
afterEach(() => {
  store.close();
  area.remove();
});

const ahead = 512 * 1024;
const frameBytes = 24 + 4_096;
const logOf = (database: string) => `${database}-wal`;

/** Few and long rows: each costs an insert. */
const rowKib = 10;

/** One transaction of about `kib` KiB. */
function write(to: Store, kib: number): Promise<void> {
  return to.write((tables) => {
    for (let rest = kib; rest > 0; rest -= rowKib) {
      const name = "x".repeat(Math.min(rest, rowKib) * 1_000);
      tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: 1, countries: null });
    }
  });
}

/** What a crash would leave now, and how much of it SQLite would find. */
function crashed(): { path: string; used: number } {
  const path = join(area.path, "image.db");
  for (const ending of ["", "-wal"]) cpSync(store.path + ending, path + ending);
  return { path, used: 32 + checkLog(logOf(path)).frames * frameBytes };
}

test("after each commit there is room for the next, in blocks that the file owns", async () => {
  for (let count = 0; count < 40; count += 1) {
    await write(store, 40);
    const { size, blocks } = statSync(logOf(store.path));
    expect(size - crashed().used).toBeGreaterThanOrEqual(ahead - 200 * 1024);
    expect(blocks * 512).toBeGreaterThanOrEqual(size - 4_096);
  }
});

test("the log grows in steps and is reused, so that it stays small", async () => {
  for (let count = 0; count < 80; count += 1) await write(store, 300);
  expect(statSync(logOf(store.path)).size).toBeLessThan(24 * 1024 * 1024);
});

test("after the log was emptied there is room again", async () => {
  await write(store, 10);
  expect(store.emptyLog()).toBe(true);
  expect(statSync(logOf(store.path)).size).toBe(0);
  await write(store, 10);
  expect(statSync(logOf(store.path)).size).toBeGreaterThanOrEqual(ahead);
});

test("what another program commits in between is kept", async () => {
  const other = new Database(store.path);
  other.run("PRAGMA wal_autocheckpoint = 0");
  other.run("CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  const rounds = 60;
  for (let count = 0; count < rounds; count += 1) {
    await write(store, 30);
    other.run("INSERT INTO other (text) VALUES (?)", ["y".repeat(50_000)]);
  }
  const { path } = crashed();
  other.close();
  const image = new Database(path);
  expect(image.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(image.query("SELECT count(*) AS n FROM other").get()).toEqual({ n: rounds });
  expect(image.query("SELECT count(*) AS n FROM account").get()).toEqual({ n: (rounds * 30) / rowKib });
  image.close(true);
});

const missing = whyNoThinVolume();

test.skipIf(missing !== null)(
  `a commit beyond its room is refused if the disk only pretends to have it${missing === null ? "" : ` (skipped: ${missing})`}`,
  async () => {
    using volume = new ThinVolume(false);
    const failures: Error[] = [];
    const folder = join(volume.path, "data");
    const thin = openStore({ folder, now: 1, syncFailed: (reason) => void failures.push(reason) });
    await write(thin, 10);
    volume.fill();
    // The space cannot be preallocated, and is not requested again while there is enough for a commit of the usual size.
    await write(thin, 1);
    volume.mendPartly(12);
    await expect(write(thin, 700)).rejects.toThrow(StoreUnavailable);
    expect(failures.map(({ message }) => message)).toEqual([
      "The disk did not take what it was given to keep: what the disk reported as written to the log is not there",
    ]);
    await expect(write(thin, 1)).rejects.toThrow(StoreUnavailable);
    thin.close();
  },
);
