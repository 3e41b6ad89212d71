import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/platform/log.ts";
import { type PeykProcess, runPeyk } from "../../src/platform/peyk-process.ts";
import { rotatingBackup } from "../../src/platform/rotating-backup.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { eventually } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
const night = Date.UTC(2026, 10, 20, 3, 17);

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let ends: string[];
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock(night);
  ends = [];
});
afterEach(() => folder.remove());

const backups = () => join(folder.path, "backups");
/** A real process that writes the file, as the real command does. */
const writes = (file: string): PeykProcess => runPeyk([file], ["cp", "/etc/hostname"]);

function nightly(keep: number, copy: (file: string) => PeykProcess = writes) {
  return rotatingBackup({
    prefix: "peyk",
    title: "nightly backup",
    dataDir: folder.path,
    keep,
    now: () => clock.now(),
    log: silentLog,
    copy,
    ended: (outcome) => ends.push(outcome),
  });
}

describe("the nightly backup", () => {
  test("keeps as many copies as the setting says, the newest ones", async () => {
    const { run, newestAt } = nightly(2);
    expect(newestAt()).toBeNull();
    for (let nights = 0; nights < 4; nights += 1) {
      await run();
      clock.jump(dayMs);
    }
    expect(readdirSync(backups()).sort()).toEqual(["peyk-20261122T031700Z.db", "peyk-20261123T031700Z.db"]);
    expect(newestAt()).toBe(night + 3 * dayMs);
    expect(ends).toEqual(["done", "done", "done", "done"]);
  });

  test("of a wrong clock does not take the place of those that follow", async () => {
    const { run } = nightly(2);
    clock.jump(1_000 * dayMs);
    for (let nights = 0; nights < 2; nights += 1) {
      await run();
      clock.jump(dayMs);
    }
    clock.jump(-1_002 * dayMs);
    for (let nights = 0; nights < 2; nights += 1) {
      await run();
      expect(readdirSync(backups())).toContain(`peyk-2026112${nights}T031700Z.db`);
      clock.jump(dayMs);
    }
    expect(readdirSync(backups()).sort()).toEqual(["peyk-20261120T031700Z.db", "peyk-20261121T031700Z.db"]);
  });

  test("keeps one copy if set to one, and makes none if set to none", async () => {
    await nightly(0).run();
    expect(() => readdirSync(backups())).toThrow(/ENOENT/);
    await nightly(1).run();
    clock.jump(dayMs);
    await nightly(1).run();
    expect(readdirSync(backups())).toEqual(["peyk-20261121T031700Z.db"]);
  });

  test("ends with the service even if its process was stopped by SIGSTOP", async () => {
    let began = "";
    const { run, stop } = nightly(1, (file) => {
      began = `${file}.began`;
      return runPeyk([began], ["sh", "-c", 'touch "$0" && kill -STOP $$ && exec sleep 60']);
    });
    const made = run();
    await eventually(() => existsSync(began));
    await stop();
    expect(await made).not.toBeNull();
  });

  test("removes no copy when it fails", async () => {
    const { run, newestAt } = nightly(1);
    await run();
    clock.jump(dayMs);
    await nightly(1, () => runPeyk([], ["false"])).run();
    expect(newestAt()).toBe(night);
    expect(ends).toEqual(["done", "failed"]);
  });

  test("leaves other files alone, and removes what an interrupted night left", async () => {
    mkdirSync(backups());
    for (const name of ["mine.db", "peyk-monday.db", "peyk-20260101T031700Z.db.partial"])
      writeFileSync(join(backups(), name), "");
    await nightly(1).run();
    expect(readdirSync(backups()).sort()).toEqual(["mine.db", "peyk-20261120T031700Z.db", "peyk-monday.db"]);
  });

  test("is ended when the server stops", async () => {
    const { run, stop } = nightly(1, () => runPeyk(["600"], ["sleep"]));
    const done = run();
    await stop();
    await done;
    expect(ends).toEqual(["failed"]);
  });
});
