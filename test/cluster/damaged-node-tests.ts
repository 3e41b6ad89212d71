/** Nodes as processes: one whose disk changed a page is told, does not take over, and does so once it has joined anew. */
import { expect } from "bun:test";
import { closeSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { customerOn, lostOf, makeClusterOn, type NodeProcess, send, succeeded } from "../support/cluster.ts";
import type { PostgresPair } from "../support/postgres.ts";

const pageBytes = 4_096;

function flipLastPage({ folder }: NodeProcess): number {
  const path = join(folder, "peyk.db");
  const page = statSync(path).size / pageBytes;
  const descriptor = openSync(path, "r+");
  const octet = new Uint8Array(1);
  const offset = page * pageBytes - 1;
  readSync(descriptor, octet, 0, 1, offset);
  writeSync(
    descriptor,
    octet.map((value) => value ^ 1),
    0,
    1,
    offset,
  );
  closeSync(descriptor);
  return page;
}

/** Mostly waits for leases and processes, so it runs beside other tests. */
export async function damagedNode(pair: PostgresPair): Promise<void> {
  const cluster = await makeClusterOn(pair, { database: "damaged" });
  const [a, b] = cluster.nodes;
  if (a === undefined || b === undefined) throw new Error("there are two nodes");
  try {
    a.start();
    expect(await a.leads()).toBe(true);
    const customer = await customerOn(a);
    const { trackingCode } = await send(a, customer, "first");
    await cluster.join(a, b);
    const page = flipLastPage(b);
    b.start();
    expect(await b.follows()).toBe(true);
    const found = async () => succeeded(await a.run("cluster", "status"));
    while (!(await found()).includes("pages of b differ")) await Bun.sleep(100);
    const told = JSON.parse(succeeded(await b.run("cluster", "status", "--json")));
    expect(told.nodes).toMatchObject([
      { name: "a", differs: null },
      { name: "b", differs: { pages: [page] } },
    ]);
    expect((await a.run("doctor")).out).toContain("differ from the leader's");
    const handed = await a.run("cluster", "hand-over", "--to", "b");
    expect([handed.code, handed.err]).toEqual([1, expect.stringContaining("does not take over")]);
    const refuses = b.logs("this node does not take over");
    await a.kill();
    await refuses;
    a.start();
    expect(await a.leads()).toBe(true);
    await b.stop();
    await cluster.join(a, b);
    b.start();
    expect(await b.follows()).toBe(true);
    await a.kill();
    expect(await b.leads()).toBe(true);
    expect(await lostOf(b, customer, new Map([["first", trackingCode ?? ""]]))).toEqual([]);
  } finally {
    await cluster.remove();
  }
}
