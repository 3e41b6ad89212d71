/** Two nodes as processes, and the leader's table of ported numbers: what an operator sees and does, and who leads with it. */
import { expect } from "bun:test";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { portedFilesIn } from "../../src/platform/ported-files.ts";
import { type Cluster, customerOn, makeClusterOn, type NodeProcess, send, succeeded } from "../support/cluster.ts";
import { eventually } from "../support/peyk-process.ts";
import type { PostgresPair } from "../support/postgres.ts";

/** Mostly waits for leases to expire, so it runs beside other tests. */
export async function portedTables(pair: PostgresPair): Promise<void> {
  const cluster = await makeClusterOn(pair, { database: "ported" });
  try {
    await portedTablesOf(cluster);
  } finally {
    await cluster.remove();
  }
}

const networkOf = async (node: NodeProcess, code: string | null) =>
  JSON.parse(succeeded(await node.run("message", "show", code ?? "", "--json"))).network;
const warningsOf = async (node: NodeProcess): Promise<string[]> =>
  JSON.parse(succeeded(await node.run("cluster", "status", "--json"))).warnings;
const lacks = (warnings: readonly string[]) => warnings.filter((one) => one.includes("ported numbers"));

async function portedTablesOf(cluster: Cluster): Promise<void> {
  const [a, b] = cluster.nodes;
  if (a === undefined || b === undefined) throw new Error("there are two nodes");
  const imported = async (network: string) => {
    const csv = join(a.folder, "numbers.csv");
    writeFileSync(csv, `number,network\n+989121234500,${network}\n`);
    succeeded(await a.run("ported", "import", csv));
    const [name = ""] = portedFilesIn(a.folder);
    return name;
  };
  a.start();
  expect(await a.leads()).toBe(true);
  const customer = await customerOn(a);
  const first = await imported("Irancell");
  // A node that joins brings it along.
  await cluster.join(a, b);
  b.start();
  expect(await b.follows()).toBe(true);
  expect(portedFilesIn(b.folder)).toEqual([first]);

  const second = await imported("Rightel");
  await eventually(async () => lacks(await warningsOf(b)).length === 1);
  expect(lacks(await warningsOf(b))[0]).toContain(`b does not take over before it has ${second} of a's data folder`);
  copyFileSync(join(a.folder, second), join(b.folder, second));
  await eventually(async () => lacks(await warningsOf(a)).length === 0);
  // The one before it is not kept.
  await eventually(async () => portedFilesIn(b.folder).join() === second);
  await a.kill();
  expect(await b.leads()).toBe(true);
  const { trackingCode } = await send(b, customer, "after");
  expect(await networkOf(b, trackingCode)).toBe("Rightel");
  await b.stop();
}
