/** The newest copy is shipped once, and one in progress is waited for. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { readShipping, shipNewest } from "../../src/platform/shipping.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let backups: string;
beforeEach(() => {
  folder = temporaryFolder();
  backups = join(folder.path, "backups");
  mkdirSync(backups);
});
afterEach(() => folder.remove());

const names = ["recent-20261120T033000Z.db", "recent-20261120T034500Z.db"] as const;
const copy = (name: string) => writeFileSync(join(backups, name), name);
const taken = () => readFileSync(join(folder.path, "away"), "utf8");
const shipBy = (script: string, ported: string | null = null) =>
  shipNewest(folder.path, ["sh", "-c", script, "sh"], systemClock, () => ported);
const ship = () => shipBy(`cp "$1" ${join(folder.path, "away")}`);

test("shipping waits for a copy that is being made", async () => {
  copy(names[0]);
  copy(`${names[1]}.partial`);
  const shipping = ship();
  await Bun.sleep(150);
  renameSync(join(backups, `${names[1]}.partial`), join(backups, names[1]));
  expect(await shipping).toBe(true);
  expect(taken()).toBe(`${names[1]}.partial`);
  expect(await ship()).toBe(false);
  expect(readShipping(folder.path)).toEqual({
    madeAt: Date.UTC(2026, 10, 20, 3, 45),
    failure: null,
    ported: null,
  });
});

test("shipping does not wait for a copy that was given up", async () => {
  copy(names[0]);
  copy(`${names[1]}.partial`);
  const before = new Date(Date.now() - 60_000);
  utimesSync(join(backups, `${names[1]}.partial`), before, before);
  expect(await ship()).toBe(true);
  expect(taken()).toBe(names[0]);
});

test("the file of ported numbers goes before the copy that needs it, once, and again only if it did not arrive", async () => {
  const [first, second] = ["ported-0123456789abcdef.numbers", "ported-fedcba9876543210.numbers"];
  const list = join(folder.path, "shipped");
  const shipped = () => readFileSync(list, "utf8").trim().split("\n");
  const log = `basename "$1" >> ${list}`;
  copy(names[0]);
  expect(await shipBy(log, first)).toBe(true);
  expect(shipped()).toEqual([names[0]]);
  writeFileSync(join(backups, first), "");
  // Beside the database: the copy of it comes a moment after that of the database.
  writeFileSync(join(folder.path, second), "");
  copy(names[1]);
  await expect(shipBy(`${log}; case "$1" in *.numbers) exit 3; esac`, first)).rejects.toThrow("ended with 3");
  expect(readShipping(folder.path)).toMatchObject({ madeAt: Date.UTC(2026, 10, 20, 3, 45), ported: null });
  expect(await shipBy(log, first)).toBe(true);
  expect(await shipBy(log, first)).toBe(false);
  expect(shipped().slice(1)).toEqual([first, names[1], first, names[1]]);
  copy("recent-20261120T040000Z.db");
  await shipBy(log, first);
  copy("recent-20261120T041500Z.db");
  await shipBy(log, second);
  expect(shipped().slice(5)).toEqual(["recent-20261120T040000Z.db", second, "recent-20261120T041500Z.db"]);
});
