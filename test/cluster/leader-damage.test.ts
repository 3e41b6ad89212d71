/** Which leader a node's proof of wrong pages is about. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NodeState } from "../../src/cluster/engine.ts";
import { LeaderDamage } from "../../src/cluster/leader-damage.ts";
import { silentLog } from "../../src/platform/log.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const witness: NodeState = {
  name: "b",
  instance: "n-2",
  position: 9,
  seenMsAgo: 3_600_000,
  version: "1.2.3",
  schema: 60,
  settingsSum: "abc",
  copiedMsAgo: null,
  shippedMsAgo: null,
  canWrite: true,
  heldBy: null,
  ported: null,
  compared: 9,
  differs: { entry: 9, pages: [7], wrong: "leader", leader: "a" },
};

const hasNoted = (name: string): boolean => {
  new LeaderDamage({ folder: folder.path, name, log: silentLog }).told([witness]);
  return existsSync(join(folder.path, "peyk.differs"));
};

test("a leader notes the proof that its own pages are wrong", () => {
  expect(hasNoted("a")).toBe(true);
});

test("a leader that follows a proved one does not note what a silent node told of that one", () => {
  expect(hasNoted("c")).toBe(false);
});
