/** Nodes on small volumes: a leader whose disk is full hands over, and with both full nobody does. */
import { expect, test } from "bun:test";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { customerOn, lostOf, makeClusterOn, type NodeProcess, send } from "../support/cluster.ts";
import type { PostgresPair } from "../support/postgres.ts";

/** More than a node must have free to be handed the lead. */
const volumeMb = 160;
const chunk = new Uint8Array(64 * 1024).fill(1);
const fillingOf = (node: NodeProcess) => join(node.folder, "filling");

function fill(node: NodeProcess): void {
  const descriptor = openSync(fillingOf(node), "a");
  try {
    for (;;) writeSync(descriptor, chunk);
  } catch {
    // Until it is full.
  } finally {
    closeSync(descriptor);
  }
}

export function testFullDisks(pair: () => PostgresPair): void {
  test("a leader with a full disk hands over to a node with free space; if both are full, neither leads", async () => {
    const cluster = await makeClusterOn(pair(), { volumeMb, database: "full_disks" });
    const [a, b] = cluster.nodes;
    if (a === undefined || b === undefined) throw new Error("there are two nodes");
    try {
      a.start();
      expect(await a.leads()).toBe(true);
      const customer = await customerOn(a);
      const acknowledged = new Map<string, string>();
      let sent = 0;
      const sendTo = async (node: NodeProcess) => {
        const key = `key-${sent}`;
        sent += 1;
        const told = await send(node, customer, key).catch(() => null);
        if (told?.trackingCode != null && told.status === 202) acknowledged.set(key, told.trackingCode);
        return told?.status ?? 0;
      };
      expect(await sendTo(a)).toBe(202);
      await cluster.join(a, b);
      b.start();
      expect(await b.follows()).toBe(true);
      fill(a);
      let refused = 0;
      while (!(await b.leads(100))) {
        if ((await sendTo(a)) === 503) refused += 1;
        expect(refused).toBeLessThan(500);
      }
      expect(await a.follows()).toBe(true);
      expect(await sendTo(b)).toBe(202);
      expect(await lostOf(b, customer, acknowledged)).toEqual([]);
      const state = async () => JSON.parse((await b.run("cluster", "status", "--json")).out);
      expect(await state()).toMatchObject({ leader: "b", nodes: [{ name: "a", canWrite: false }, { name: "b" }] });
      const { epoch } = await state();
      fill(b);
      while (!b.log.includes("no other node could take over")) await sendTo(b);
      for (let more = 0; more < 20; more += 1) await sendTo(b);
      expect(await sendTo(b)).toBe(503);
      expect(await state()).toMatchObject({ leader: "b", epoch });
      for (const node of [a, b]) rmSync(fillingOf(node));
      while ((await sendTo(b)) !== 202) expect(await state()).toMatchObject({ leader: "b", epoch });
      expect(await lostOf(b, customer, acknowledged)).toEqual([]);
    } finally {
      await cluster.remove();
    }
  }, 180_000);
}
