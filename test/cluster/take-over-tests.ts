/** Two nodes as processes: acknowledged messages survive the node that acknowledged them, and the other takes over within seconds. */
import { expect } from "bun:test";
import { type Cluster, countMessages, customerOn, Load, lostOf, makeClusterOn, succeeded } from "../support/cluster.ts";
import type { PostgresPair } from "../support/postgres.ts";

/** Mostly waits for leases to expire, so it runs beside other tests: a join under load, a killed leader, a hand-over, a stop. */
export async function takeOvers(pair: PostgresPair): Promise<void> {
  const cluster = await makeClusterOn(pair);
  try {
    await takeOversOf(cluster);
  } finally {
    await cluster.remove();
  }
}

async function takeOversOf(cluster: Cluster): Promise<void> {
  const [a, b] = cluster.nodes;
  if (a === undefined || b === undefined) throw new Error("there are two nodes");
  a.start();
  expect(await a.leads()).toBe(true);
  const customer = await customerOn(a);
  const load = new Load([a, b], customer, 8);
  await load.acknowledges(20);
  await cluster.join(a, b);
  b.start();
  expect(await b.follows()).toBe(true);
  await load.acknowledges(50);
  const killedAt = performance.now();
  await a.kill();
  expect(await b.leads()).toBe(true);
  const tookMs = performance.now() - killedAt;
  a.start();
  expect(await a.follows()).toBe(true);
  await load.acknowledges(20);
  const handed = await b.run("cluster", "hand-over", "--to", "a");
  expect(handed).toMatchObject({ code: 0 });
  expect(await a.leads()).toBe(true);
  expect(await b.follows()).toBe(true);
  await load.stop();
  expect(load.acknowledged.size).toBeGreaterThan(50);
  expect(await lostOf(a, customer, load.acknowledged)).toEqual([]);
  expect(countMessages(a)).toBe(load.acknowledged.size);
  expect(tookMs).toBeLessThan(20_000);
  const status = succeeded(await b.run("cluster", "status", "--json"));
  expect(JSON.parse(status)).toMatchObject({ leader: "a", nodes: [{ name: "a" }, { name: "b" }] });
  expect(await a.stop()).toBe(0);
  expect(await b.leads()).toBe(true);
  expect(await lostOf(b, customer, load.acknowledged)).toEqual([]);
  await b.stop();
}
