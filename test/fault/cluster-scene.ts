/** A cluster under load in front of a counting carrier, and what must hold at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Cluster,
  type ClusterCustomer,
  type ClusterOptions,
  countMessages,
  customerOn,
  Load,
  lostOf,
  makeCluster,
  type NodeProcess,
  send,
} from "../support/cluster.ts";
import { type CutProxy, cutProxy } from "../support/cut-proxy.ts";
import { type FastSmsc, startFastSmsc } from "../support/fast-smsc.ts";
import { haveEqualFiles } from "../support/held-copies.ts";
import { moneyIn } from "../support/money.ts";
import { rowsIn } from "../support/peyk-process.ts";
import { type Careless, carelessSources } from "./careless-sources.ts";
import type { FaultResult } from "./thin-rig.ts";

export interface Scene {
  cluster: Cluster;
  a: NodeProcess;
  b: NodeProcess;
  carrier: FastSmsc;
  /** Between the nodes and the carrier. */
  carrierProxy: CutProxy;
  customer: ClusterCustomer;
  load: Load;
}

/** More than a run can spend. */
const plenty = 1_000_000_000;

export interface SceneOptions {
  workers: number;
  /** Between two messages of a worker. */
  pauseMs?: number;
  cluster?: ClusterOptions;
  careless?: readonly Careless[];
}

export const good = { accepted: 0, lost: 0, doubled: 0, wrong: 0, refusal: null } as const satisfies FaultResult;

export async function onCluster<T>(
  careless: readonly Careless[],
  work: (cluster: Cluster) => Promise<T>,
  options: ClusterOptions = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-careless-"));
  const command = careless.length === 0 ? {} : { command: carelessSources(careless, folder) };
  const cluster = await makeCluster({ ...options, ...command });
  try {
    return await work(cluster);
  } finally {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export function pairOf({ nodes }: Cluster): { a: NodeProcess; b: NodeProcess } {
  const [a, b] = nodes;
  if (a === undefined || b === undefined) throw new Error("A cluster has two nodes");
  return { a, b };
}

export async function require(holds: Promise<boolean>, what: string): Promise<void> {
  if (!(await holds)) throw new Error(`It never came to this: ${what}`);
}

/** The first node leads, the second follows, and customers send. */
export function onScene<T>(options: SceneOptions, work: (scene: Scene) => Promise<T>): Promise<T> {
  return onCluster(
    options.careless ?? [],
    async (cluster) => {
      const { a, b } = pairOf(cluster);
      const carrier = await startFastSmsc({ receipts: true });
      const carrierProxy = await cutProxy(carrier.port);
      try {
        a.start();
        await require(a.leads(), "the first node leads");
        const route = { host: "127.0.0.1", port: carrierProxy.port, systemId: "peyk", password: "secret" };
        await a.operate("POST", "/routes", { name: "carrier", kind: "smpp", options: route });
        const customer = await customerOn(a, ["carrier"]);
        await charge(a);
        await cluster.join(a, b);
        b.start();
        await require(b.follows(), "the second node follows");
        const load = new Load([a, b], customer, options.workers, options.pauseMs);
        try {
          return await work({ cluster, a, b, carrier, carrierProxy, customer, load });
        } finally {
          await load.stop();
        }
      } finally {
        carrierProxy.stop();
        await carrier.stop();
      }
    },
    options.cluster,
  );
}

/** The messages of the account have a price and count against its balance and quota. */
async function charge(node: NodeProcess): Promise<void> {
  await node.operate("POST", "/prices/retail", { prefix: "*", price: "7" });
  await node.operate("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "prepaid" });
  await node.operate("POST", "/accounts/acc_1/topup", { amount: plenty });
  await node.operate("PUT", "/quotas/acc_1", { month: plenty });
  await node.operate("POST", "/prices/costs", { prefix: "*", price: "3" });
  await node.operate("PUT", "/routes/carrier/costs", { list: "costs" });
}

/** Resolves with the leader. */
export async function leaderOf({ a, b }: Pick<Scene, "a" | "b">, withinMs = 60_000): Promise<NodeProcess> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    for (const node of [a, b]) if (await node.leads(300)) return node;
  }
  throw new Error(`Nobody leads: ${a.log.slice(-1_500)} ${b.log.slice(-1_500)}`);
}

/** Ends the load, asks for each message again, and compares the result with what was acknowledged, and the files with each other. */
export async function judged(scene: Scene): Promise<FaultResult> {
  const { customer, load, carrier } = scene;
  await load.stop();
  const leader = await leaderOf(scene);
  const lost = await lostOf(leader, customer, load.acknowledged);
  const unanswered = [...load.attempted].filter((key) => !load.acknowledged.has(key));
  for (const key of unanswered) await send(leader, customer, key, 15_000);
  await untilSubmitted(leader);
  const messages = countMessages(leader);
  const [{ n: uncertain = 0 } = {}] = rowsIn<{ n: number }>(
    leader.folder,
    "SELECT coalesce(sum(uncertain_attempts), 0) AS n FROM message",
  );
  const [{ n: figured = 0 } = {}] = rowsIn<{ n: number }>(
    leader.folder,
    "SELECT coalesce(sum(messages), 0) AS n FROM rollup",
  );
  const surplus = carrier.submits - messages - uncertain;
  const differences = [
    ...(figured === messages ? [] : [`${figured} messages in the figures, and there are ${messages}`]),
    ...((await haveEqualFiles(leader, leader === scene.a ? scene.b : scene.a)) ? [] : ["the files differ"]),
    ...moneyDifferences(leader),
  ];
  if (differences.length > 0) console.error(differences.join("; "));
  return {
    accepted: load.acknowledged.size,
    lost: lost.length,
    doubled: messages - load.attempted.size + Math.max(0, surplus),
    wrong: differences.length,
    refusal: null,
  };
}

/** Each message was captured once, so all sums of money must agree. */
function moneyDifferences({ folder }: NodeProcess): string[] {
  const { balances, charged, cost, isWhole } = moneyIn(folder, 1);
  const [{ used = 0, parts = 0 } = {}] = rowsIn<{ used: number; parts: number }>(
    folder,
    "SELECT (SELECT parts_used FROM quota) AS used, (SELECT sum(part_count) FROM message) AS parts",
  );
  const all = [balances.last, balances.byLines, balances.byMessages].map((balance) => JSON.stringify(balance));
  return [
    ...(new Set(all).size === 1 && balances.last.reserved === 0 ? [] : [`balances ${all.join(", ")}`]),
    ...(charged.charges === charged.ledger && charged.ledger > 0 ? [] : [`charges ${JSON.stringify(charged)}`]),
    ...(new Set(Object.values(cost)).size === 1 && isWhole ? [] : [`costs ${JSON.stringify(cost)}`]),
    ...(used === parts ? [] : [`${used} parts of the quota used, and ${parts} sent`]),
  ];
}

async function untilSubmitted(node: NodeProcess): Promise<void> {
  const waiting =
    "SELECT count(*) AS n FROM message WHERE state NOT IN ('submitted', 'delivered', 'failed', 'cancelled')";
  for (const deadline = performance.now() + 120_000; performance.now() < deadline; await Bun.sleep(200)) {
    if (rowsIn<{ n: number }>(node.folder, waiting)[0]?.n === 0) return;
  }
  throw new Error("Messages wait for ever");
}
