/** Two nodes as processes: what was acknowledged outlives the one that acknowledged it, and the other takes over within seconds. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Cluster,
  countMessages,
  customerOn,
  Load,
  lostOf,
  makeCluster,
  type NodeProcess,
  succeeded,
} from "../support/cluster.ts";
import { describeWith } from "../support/wants.ts";

describeWith("postgres")("a cluster of two nodes", () => {
  let cluster: Cluster;
  let a: NodeProcess;
  let b: NodeProcess;

  beforeAll(async () => {
    cluster = await makeCluster();
    const [first, second] = cluster.nodes;
    if (first === undefined || second === undefined) throw new Error("there are two nodes");
    [a, b] = [first, second];
    a.start();
    expect(await a.leads()).toBe(true);
  }, 60_000);

  afterAll(async () => {
    await cluster?.remove();
  });

  test("joined while served, a killed leader, a hand-over: nothing acknowledged is lost, and the files are equal", async () => {
    const customer = await customerOn(a);
    const load = new Load([a, b], customer, 8);
    await Bun.sleep(300);
    await cluster.join(a, b);
    b.start();
    expect(await b.follows()).toBe(true);
    await Bun.sleep(1_500);
    const killedAt = performance.now();
    await a.kill();
    expect(await b.leads()).toBe(true);
    const tookMs = performance.now() - killedAt;
    a.start();
    expect(await a.follows()).toBe(true);
    await Bun.sleep(500);
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
  }, 120_000);
});
