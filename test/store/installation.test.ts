/** A data folder that lost its database: no start begins anew in it, and the message names the way back. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase } from "../../src/store/backup.ts";
import { openDatabase } from "../../src/store/database.ts";
import { DatabaseMissing } from "../../src/store/installation.ts";
import { restoreCopy } from "../../src/store/restore.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
beforeEach(() => {
  area = temporaryFolder();
  folder = join(area.path, "data");
});
afterEach(() => area.remove());

const inFolder = (...names: string[]) => join(folder, ...names);
const start = () => openDatabase(folder, 1).close();
const idIn = (file: string) => {
  const database = new Database(file, { readonly: true });
  const row = database.query<{ id: string }, []>("SELECT id FROM installation").get();
  database.close();
  return row?.id;
};

async function addAccount(): Promise<void> {
  const store = openStore({ folder, now: 1 });
  await store.write((tables) =>
    tables.accounts.insert({ name: "A", status: "active", defaultSender: null, createdAt: 1, countries: null }),
  );
  store.close();
}

test("a first start gives the folder and its database one id, which stays", () => {
  start();
  const id = readFileSync(inFolder("peyk.id"), "utf8").trim();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(idIn(inFolder("peyk.db"))).toBe(id);
  start();
  expect(readFileSync(inFolder("peyk.id"), "utf8").trim()).toBe(id);
});

test("a first start that was interrupted starts over", () => {
  mkdirSync(folder);
  for (const name of ["peyk.db", "peyk.lock", "peyk.id.new"]) writeFileSync(inFolder(name), "");
  start();
  expect(idIn(inFolder("peyk.db"))).toBe(readFileSync(inFolder("peyk.id"), "utf8").trim());
});

describe("a start is refused", () => {
  const evidence: Readonly<Record<string, () => void>> = {
    "peyk.id": () => {},
    "peyk.db-wal": () => writeFileSync(inFolder("peyk.db-wal"), "log"),
    "peyk.db.restoring": () => writeFileSync(inFolder("peyk.db.restoring"), "half a copy"),
    "peyk.db.before-restore-20261120T031700Z": () =>
      writeFileSync(inFolder("peyk.db.before-restore-20261120T031700Z"), "old"),
    "before-migration-7.db": () => writeFileSync(inFolder("before-migration-7.db"), "old"),
    "before-upgrade": () => mkdirSync(inFolder("before-upgrade")),
    "backups/peyk-20261120T031700Z.db": () => {
      mkdirSync(inFolder("backups"));
      writeFileSync(inFolder("backups", "peyk-20261120T031700Z.db"), "copy");
    },
  };
  for (const [name, plant] of Object.entries(evidence)) {
    for (const state of ["missing", "empty"]) {
      test(`if the database is ${state} and there is ${name}, and nothing is changed`, async () => {
        await addAccount();
        if (name !== "peyk.id") rmSync(inFolder("peyk.id"));
        plant();
        if (state === "missing") rmSync(inFolder("peyk.db"));
        else truncateSync(inFolder("peyk.db"));
        const before = readdirSync(folder).sort();
        expect(start).toThrow(DatabaseMissing);
        expect(start).toThrow(new RegExp(`is ${state}.* ${name.replaceAll(".", "\\.")}[^]*peyk backup restore`));
        expect(readdirSync(folder).sort()).toEqual(before);
      });
    }
  }

  test("if the database belongs to another installation", () => {
    start();
    renameSync(folder, join(area.path, "other"));
    start();
    cpSync(join(area.path, "other", "peyk.db"), inFolder("peyk.db"));
    expect(start).toThrow(/another installation/);
    rmSync(inFolder("peyk.id"));
    start();
  });
});

test("restoring another installation's copy adopts it into this installation", async () => {
  await addAccount();
  const copy = join(area.path, "copy.db");
  copyDatabase(folder, copy);
  renameSync(folder, join(area.path, "other"));
  start();
  const id = readFileSync(inFolder("peyk.id"), "utf8").trim();
  expect(restoreCopy(folder, copy, { now: 2, release: false }).report.counts).toMatchObject({ accounts: 1 });
  start();
  expect({ now: idIn(inFolder("peyk.db")), before: idIn(copy) === id }).toEqual({ now: id, before: false });
});
