/** A kill or a power cut while Peyk makes, replaces and restores files: each is complete under its name, or absent. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { copyDatabase } from "../../src/store/backup.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { restoreCopy } from "../../src/store/restore.ts";
import { openStore } from "../../src/store/store.ts";
import { shareOf } from "../support/fault-share.ts";
import { callsOf, killAt, type SystemCall } from "../support/system-calls.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { describeWith, testWith } from "../support/wants.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
let copy: string;
beforeEach(() => {
  area = temporaryFolder();
  folder = join(area.path, "data");
  copy = join(area.path, "copies", "copy.db");
  mkdirSync(dirname(copy));
});
afterEach(() => area.remove());

async function addAccount(name: string): Promise<void> {
  const store = openStore({ folder, now: 1 });
  await store.write((tables) =>
    tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: 1, countries: null }),
  );
  store.close();
}

function accountsIn(place: string): string[] {
  const store = openStore({ folder: place, now: 2 });
  const names = store.tables.accounts.all().map(({ name }) => name);
  store.close();
  return names;
}

testWith("strace")(
  "a restore killed at any system call leaves the old or the new database, and can be repeated",
  async () => {
    await addAccount("kept");
    copyDatabase(folder, copy);
    await addAccount("since");
    const untouched = join(area.path, "untouched");
    cpSync(folder, untouched, { recursive: true });
    const argv = ["backup", "restore", copy, "--data-dir", folder];
    const calls = (await callsOf(argv, area.path)).filter(
      ({ paths }) => paths.some((path) => path.startsWith(folder)) && !paths.some((path) => path.endsWith("-shm")),
    );
    const outcomes = { old: 0, new: 0 };
    for (const call of shareOf(calls, 4)) {
      rmSync(folder, { recursive: true });
      cpSync(untouched, folder, { recursive: true });
      if (!(await killAt(call, argv))) continue;
      const accounts = accountsIn(folder);
      expect([["kept", "since"], ["kept"]]).toContainEqual(accounts);
      outcomes[accounts.length === 2 ? "old" : "new"] += 1;
      expect(restoreCopy(folder, copy, { now: 3, release: false }).report.counts).toMatchObject({ accounts: 1 });
    }
    expect(outcomes.old).toBeGreaterThan(5);
    expect(outcomes.new).toBeGreaterThan(0);
  },
  { timeout: 180_000 },
);

/**
 * Names that were given to files whose content may not be on the disk, or before which another file was written: after
 * a power cut such a file may be empty, or missing.
 */
function reliedOnTooEarly(calls: readonly SystemCall[]): { named: string[]; early: string[] } {
  const dirty = new Set<string>();
  const unsaved = new Map<string, string>();
  const named: string[] = [];
  const early: string[] = [];
  for (const { name, paths } of calls) {
    const [path = "", target = ""] = paths;
    if (/^(write|pwrite64|ftruncate)$/.test(name)) {
      dirty.add(path);
      if (!/-(shm|journal)$/.test(path) && unsaved.has(dirname(path)))
        early.push(`${unsaved.get(dirname(path))}: its name`);
    } else if (name === "fsync") {
      dirty.delete(path);
      unsaved.delete(path);
    } else if (/^(rename|link)/.test(name)) {
      if (dirty.has(path)) early.push(`${target}: its content`);
      unsaved.set(dirname(target), target);
      named.push(basename(target));
    }
  }
  for (const target of unsaved.values()) early.push(`${target}: its name`);
  return { named, early };
}

describeWith("strace")("a file and its name are on disk before anything relies on them", () => {
  const ports = ["--listen", "127.0.0.1:0", "--console-listen", "127.0.0.1:0"];
  const inArea = (calls: readonly SystemCall[]) =>
    calls.filter(({ paths }) => paths.some((path) => path.startsWith(`${area.path}/`)));
  const serve = () => callsOf(["serve", "--data-dir", folder, ...ports], area.path, '"peyk serves"');

  test("at a first start, for the installation's identity and key", async () => {
    expect(reliedOnTooEarly(inArea(await serve()))).toEqual({ named: ["peyk.id", "secret.key"], early: [] });
  }, 180_000);

  test("at an upgrade, for a key that was missing and the copy made before it", async () => {
    openDatabase(folder, 1, migrations.slice(0, 4)).close();
    const { named, early } = reliedOnTooEarly(inArea(await serve()));
    expect({ first: named.slice(0, 2), early }).toEqual({ first: ["secret.key", "before-migration-5.db"], early: [] });
  }, 180_000);

  test("when a copy is made, and when it is restored", async () => {
    await addAccount("kept");
    const made = await callsOf(["backup", "create", copy, "--data-dir", folder], area.path);
    expect(reliedOnTooEarly(inArea(made))).toEqual({ named: ["copy.db"], early: [] });
    const restored = reliedOnTooEarly(
      inArea(await callsOf(["backup", "restore", copy, "--data-dir", folder], area.path)),
    );
    expect({ last: restored.named.at(-1), early: restored.early }).toEqual({ last: "peyk.db", early: [] });
  }, 180_000);
});
