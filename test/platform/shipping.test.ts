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
const ship = () => shipNewest(folder.path, ["sh", "-c", `cp "$1" ${join(folder.path, "away")}`, "sh"], systemClock);

test("shipping waits for a copy that is being made", async () => {
  copy(names[0]);
  copy(`${names[1]}.partial`);
  const shipping = ship();
  await Bun.sleep(150);
  renameSync(join(backups, `${names[1]}.partial`), join(backups, names[1]));
  expect(await shipping).toBe(true);
  expect(taken()).toBe(`${names[1]}.partial`);
  expect(await ship()).toBe(false);
  expect(readShipping(folder.path)).toEqual({ madeAt: Date.UTC(2026, 10, 20, 3, 45), failure: null });
});

test("shipping does not wait for a copy that was given up", async () => {
  copy(names[0]);
  copy(`${names[1]}.partial`);
  const before = new Date(Date.now() - 60_000);
  utimesSync(join(backups, `${names[1]}.partial`), before, before);
  expect(await ship()).toBe(true);
  expect(taken()).toBe(names[0]);
});
