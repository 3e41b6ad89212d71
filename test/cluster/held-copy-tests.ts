/** Two nodes as processes, whose leaders stop and hand over while a copy of their database is being made. */
import { expect } from "bun:test";
import { customerOn, Load, lostOf, makeClusterOn } from "../support/cluster.ts";
import { endLeadersBesideCopies, haveEqualFiles } from "../support/held-copies.ts";
import type { PostgresPair } from "../support/postgres.ts";

/** Mostly waits for processes, so it runs beside other tests. */
export async function heldCopies(pair: PostgresPair): Promise<void> {
  const cluster = await makeClusterOn(pair, { database: "held" });
  const [a, b] = cluster.nodes;
  if (a === undefined || b === undefined) throw new Error("there are two nodes");
  try {
    a.start();
    expect(await a.leads()).toBe(true);
    const customer = await customerOn(a);
    await cluster.join(a, b);
    b.start();
    expect(await b.follows()).toBe(true);
    const load = new Load([a, b], customer, 4, 20);
    await endLeadersBesideCopies(cluster, load);
    await load.stop();
    expect(load.acknowledged.size).toBeGreaterThan(100);
    expect(await lostOf(b, customer, load.acknowledged)).toEqual([]);
    expect(await haveEqualFiles(b, a)).toBe(true);
  } finally {
    await cluster.remove();
  }
}
