/** Who may take over: a node without the leader's file of ported numbers does not. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeState } from "../../src/cluster/engine.ts";
import { ablest, lacksPorted, portedIn } from "../../src/cluster/successor.ts";

const table = "ported-0123456789abcdef.numbers";
const node = (name: string, ported: string | null): NodeState => ({
  name,
  ported,
  instance: name,
  position: 1,
  version: "1",
  schema: 1,
  settingsSum: "",
  copiedMsAgo: null,
  shippedMsAgo: null,
  canWrite: true,
  heldBy: null,
  compared: null,
  differs: null,
  seenMsAgo: 0,
});

test("a leader hands over only to a node that has its table, or to any if it has none", () => {
  expect(ablest([node("a", table), node("b", null)], "a")).toBeNull();
  expect(ablest([node("a", table), node("b", null), node("c", table)], "a")).toBe("c");
  expect(ablest([node("a", null), node("b", table)], "a")).toBe("b");
});

test("a node without the last leader's table refuses until it has it, or that leader is forgotten", () => {
  const folder = mkdtempSync(join(tmpdir(), "peyk-successor-"));
  const own = { folder, name: "b" };
  const nodes = [node("a", table), node("b", null)];
  expect(lacksPorted(nodes, "a", own)).toContain(table);
  expect(lacksPorted(nodes.slice(1), "a", own)).toBeNull();
  expect(lacksPorted(nodes, null, own)).toBeNull();
  // A node that led last itself does not need what another one keeps.
  expect(lacksPorted([node("a", table), node("b", null)], "b", own)).toBeNull();
  writeFileSync(join(folder, table), "");
  expect(portedIn(folder, null)).toBe(table);
  const other = "ported-fedcba9876543210.numbers";
  writeFileSync(join(folder, other), "");
  expect([null, table, other].map((wanted) => portedIn(folder, wanted))).toEqual([null, table, other]);
  expect(lacksPorted(nodes, "a", own)).toBeNull();
  rmSync(folder, { recursive: true });
});
