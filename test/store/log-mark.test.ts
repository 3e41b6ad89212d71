/** The mark of how far the log was synced: it refuses missing frames, and never a log that a crash or a power cut may leave. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase } from "../../src/store/backup.ts";
import { openDatabase } from "../../src/store/database.ts";
import { checkLog, LogDamaged } from "../../src/store/log-check.ts";
import { migrations } from "../../src/store/migrations.ts";
import { restoreCopy } from "../../src/store/restore.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
let store: Store;
/** The files after a crash. */
let image: string;
beforeEach(() => {
  area = temporaryFolder();
  folder = join(area.path, "data");
  image = join(area.path, "image");
  store = openStore({ folder, now: 1 });
});
afterEach(() => {
  store.close();
  area.remove();
});

const frameBytes = 24 + 4_096;
const inImage = (name: string) => join(image, name);
const mark = () => inImage("peyk.db-synced");
const log = () => inImage("peyk.db-wal");

async function addAccounts(count: number, to = store): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await to.write((tables) =>
      tables.accounts.insert({ name: "A", status: "active", defaultSender: null, createdAt: 1, countries: null }),
    );
  }
}

function crash(): void {
  rmSync(image, { recursive: true, force: true });
  cpSync(folder, image, { recursive: true });
}

function start(): void {
  openDatabase(image, 2).close();
}

/** Cuts off the log's last transactions, except for `frames` pages. */
function keepFrames(frames: number): void {
  truncateSync(log(), 32 + frames * frameBytes);
}

test("a start after a crash requires every committed page, and no more than those", async () => {
  await addAccounts(5);
  crash();
  const { frames } = checkLog(log());
  keepFrames(frames);
  start();
  crash();
  keepFrames(frames - 1);
  expect(start).toThrow(LogDamaged);
  expect(start).toThrow(
    new RegExp(`peyk\\.db-wal is damaged: it ends after \\d+ pages, but ${frames} pages were committed`),
  );
});

test("a mark that lags behind the log, by a part of it or by whole logs, refuses nothing", async () => {
  await addAccounts(2);
  crash();
  const early = readFileSync(mark());
  await addAccounts(2);
  crash();
  writeFileSync(mark(), early);
  start();
  for (let round = 0; round < 2; round += 1) {
    // The whole log is now in the file, so SQLite restarts it with the next commit.
    const other = new Database(store.path);
    other.run("PRAGMA wal_checkpoint(PASSIVE)");
    other.close();
    await addAccounts(1);
    crash();
    expect(checkLog(log()).frames).toBeLessThan(early.readUInt32BE(8));
    writeFileSync(mark(), early);
    start();
  }
});

test("the mark refuses a log older than the one that was synced", async () => {
  await addAccounts(2);
  crash();
  const older = readFileSync(log());
  const other = new Database(store.path);
  other.run("PRAGMA wal_checkpoint(PASSIVE)");
  other.close();
  await addAccounts(1);
  crash();
  writeFileSync(log(), older);
  expect(start).toThrow(/it is an older log, but \d+ pages were committed to a newer one/);
});

test("a mark that a power cut left empty or half written is ignored", async () => {
  await addAccounts(2);
  crash();
  const whole = readFileSync(mark());
  for (const bytes of [
    new Uint8Array(),
    new Uint8Array(whole.length),
    whole.subarray(0, 20),
    whole.map((b) => b ^ 1),
  ]) {
    crash();
    rmSync(log());
    writeFileSync(mark(), bytes);
    start();
  }
  crash();
  rmSync(log());
  expect(start).toThrow(/it is missing or empty, but \d+ pages were committed to it/);
});

test("the mark is removed before the log is emptied, and written again with the next commit", async () => {
  await addAccounts(1);
  expect(existsSync(join(folder, "peyk.db-synced"))).toBe(true);
  expect(store.emptyLog()).toBe(true);
  expect(existsSync(join(folder, "peyk.db-synced"))).toBe(false);
  crash();
  start();
  await addAccounts(1);
  crash();
  rmSync(log());
  expect(start).toThrow(LogDamaged);
});

test("a transaction that writes nothing does not mark an empty log", async () => {
  await addAccounts(1);
  expect(store.emptyLog()).toBe(true);
  expect(await store.write(({ accounts }) => accounts.all().length)).toBe(1);
  expect(existsSync(join(folder, "peyk.db-synced"))).toBe(false);
  crash();
  start();
});

test("a refused start leaves no mark if the end of its process moved the log into the file", async () => {
  await addAccounts(3);
  crash();
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dir, "../../src/store/database.ts"))};
    openDatabase(${JSON.stringify(image)}, 1, []);`;
  const child = Bun.spawnSync([process.execPath, "-e", script]);
  expect(child.stderr.toString()).toContain("written by a newer Peyk");
  expect({ log: statSync(log(), { throwIfNoEntry: false })?.size ?? 0, mark: existsSync(mark()) }).toEqual({
    log: 0,
    mark: false,
  });
  const { database, close } = openDatabase(image, 2);
  expect(database.query("SELECT count(*) AS n FROM account").get()).toEqual({ n: 3 });
  close();
});

test("a restore and a copy remove the mark of the database that they replace", async () => {
  await addAccounts(1);
  const copy = join(area.path, "copy.db");
  copyDatabase(folder, copy);
  crash();
  restoreCopy(image, copy, { now: 3, release: false });
  expect(existsSync(mark())).toBe(false);
  start();
  writeFileSync(join(area.path, "second.db-synced"), "of another database");
  copyDatabase(folder, join(area.path, "second.db"));
  expect(existsSync(join(area.path, "second.db-synced"))).toBe(false);
});

test("an upgrade rolled back by an installer that knows no marks is not taken for a loss", async () => {
  const state = join(area.path, "state");
  openDatabase(state, 1, migrations.slice(0, -1)).close();
  cpSync(join(state, "peyk.db"), join(area.path, "before.db"));
  const upgraded = openStore({ folder: state, now: 2 });
  expect(await upgraded.probe()).toBe(true);
  cpSync(state, image, { recursive: true });
  upgraded.close();
  for (const name of ["peyk.db", "peyk.db-wal", "peyk.db-shm"]) rmSync(inImage(name));
  cpSync(join(area.path, "before.db"), inImage("peyk.db"));
  start();
});

test("a log lost right after an upgrade is still detected", async () => {
  const state = join(area.path, "state");
  openDatabase(state, 1, migrations.slice(0, -1)).close();
  const upgraded = openStore({ folder: state, now: 2 });
  await addAccounts(1, upgraded);
  cpSync(state, image, { recursive: true });
  upgraded.close();
  rmSync(log());
  expect(start).toThrow(LogDamaged);
});

/** What the sqlite3 shell does to a log when it ends. */
function takeIn(): void {
  const shell = new Database(inImage("peyk.db"));
  shell.query("SELECT count(*) FROM account").get();
  shell.close(true);
  expect(existsSync(log())).toBe(false);
}

test("a log that another program moved into the file after a kill is not missed, even if the mark lags", async () => {
  await addAccounts(2);
  crash();
  const early = readFileSync(mark());
  await addAccounts(2);
  crash();
  takeIn();
  start();
  crash();
  writeFileSync(mark(), early);
  takeIn();
  start();
});

test("health probes of the store, which change nothing, do not hide that committed pages were lost", async () => {
  expect(store.emptyLog()).toBe(true);
  for (const accounts of [0, 1, 1]) {
    await addAccounts(accounts);
    for (let count = 0; count < 3; count += 1) expect(await store.probe()).toBe(true);
    crash();
    rmSync(log());
    if (accounts === 0) start();
    else expect(start).toThrow(LogDamaged);
  }
});

test("a log may be missing after a checkpoint of all of it, but not after the next commit", async () => {
  await addAccounts(3);
  expect(store.emptyLog()).toBe(true);
  await addAccounts(1);
  const bytes = readFileSync(join(folder, "peyk.db-synced"));
  const other = new Database(store.path);
  other.run("PRAGMA wal_checkpoint(PASSIVE)");
  other.close();
  crash();
  rmSync(log());
  start();
  await addAccounts(1);
  crash();
  expect(readFileSync(mark()).equals(bytes)).toBe(false);
  rmSync(log());
  expect(start).toThrow(LogDamaged);
});
