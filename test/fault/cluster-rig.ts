/** Two nodes and a PostgreSQL with a synchronous standby under what may happen to them; controls run sources with one guard taken out. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import {
  type Cluster,
  type ClusterCustomer,
  countMessages,
  customerOn,
  Load,
  lostOf,
  makeCluster,
  type NodeProcess,
  send,
} from "../support/cluster.ts";
import { startFastSmsc } from "../support/fast-smsc.ts";
import { rowsIn } from "../support/peyk-process.ts";
import type { FaultResult } from "./thin-rig.ts";

/** What happens to the leader under load. */
export type LeaderFault = "killed" | "frozen" | "cut off from PostgreSQL" | "with a failed PostgreSQL";

const workers = 12;
const loadMs = 2_500;
const good = { lost: 0, doubled: 0, wrong: 0, refusal: null };

/** A line of a file, and what stands there in the control. */
export interface Careless {
  file: string;
  line: string;
  instead: string;
}

export const withoutGate: readonly Careless[] = [
  {
    file: "src/cluster/cluster-gate.ts",
    line: "if (!this.#lease.isGood) return Promise.reject(lapsed());",
    instead: "return null;",
  },
  {
    file: "src/cluster/cluster-gate.ts",
    line: "const settled = new Promise<T>",
    instead: "if (Date.now() > 0) return answer;\n    const settled = new Promise<T>",
  },
];

export const withoutFurtherCommit: readonly Careless[] = [
  {
    file: "src/cluster/shipper.ts",
    line: "return this.#impatiently(() => writer.confirm(this.#epoch));",
    instead: "return true;",
  },
];

/** The command of sources in which these lines are replaced. */
function carelessSources(careless: readonly Careless[], folder: string): string[] {
  const root = join(import.meta.dir, "..", "..");
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  const others = readdirSync(root).filter((name) => !["src", ".git", "dist"].includes(name));
  for (const name of others) symlinkSync(join(root, name), join(folder, name));
  for (const { file, line, instead } of careless) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(line)) throw new Error(`${file} has no line: ${line}`);
    writeFileSync(path, text.replaceAll(line, instead));
  }
  return [process.execPath, `--tsconfig-override=${join(folder, "tsconfig.json")}`, join(folder, "src", "main.ts")];
}

async function onCluster(
  careless: readonly Careless[],
  work: (cluster: Cluster) => Promise<FaultResult>,
): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-careless-"));
  const command = careless.length === 0 ? {} : { command: carelessSources(careless, folder) };
  const cluster = await makeCluster(command);
  try {
    return await work(cluster);
  } finally {
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pairOf({ nodes }: Cluster): { a: NodeProcess; b: NodeProcess } {
  const [a, b] = nodes;
  if (a === undefined || b === undefined) throw new Error("A cluster has two nodes");
  return { a, b };
}

async function require(holds: Promise<boolean>, what: string): Promise<void> {
  if (!(await holds)) throw new Error(`It never came to this: ${what}`);
}

/** A leader under load, what happens to it, and what the other node has of what was acknowledged. */
export function takeOverRun(fault: LeaderFault): Promise<FaultResult> {
  return onCluster([], async (cluster) => {
    const { a, b } = pairOf(cluster);
    const carrier = await startFastSmsc({ receipts: true });
    try {
      a.start();
      await require(a.leads(), "the first node leads");
      const options = { host: "127.0.0.1", port: carrier.port, systemId: "peyk", password: "secret" };
      await a.operate("POST", "/routes", { name: "carrier", kind: "smpp", options });
      const customer = await customerOn(a, ["carrier"]);
      await cluster.join(a, b);
      b.start();
      await require(b.follows(), "the second node follows");
      const load = new Load([a, b], customer, workers);
      await Bun.sleep(loadMs);
      const leader = await happen(fault, cluster);
      await Bun.sleep(loadMs);
      await load.stop();
      return await judged(leader, customer, load, carrier);
    } finally {
      await carrier.stop();
    }
  });
}

/** Resolves with the node that leads afterwards. */
async function happen(fault: LeaderFault, cluster: Cluster): Promise<NodeProcess> {
  const { a, b } = pairOf(cluster);
  if (fault === "killed") await a.kill();
  else if (fault === "frozen") a.signal("SIGSTOP");
  else if (fault === "cut off from PostgreSQL") a.proxy.cut();
  else return failedOver(cluster);
  await require(b.leads(), "the second node leads");
  if (fault === "frozen") a.signal("SIGCONT");
  if (fault === "cut off from PostgreSQL") a.proxy.mend();
  if (fault === "killed") a.start();
  await require(a.follows(), "the first node follows");
  return b;
}

/** The primary is gone at once, and its standby takes its place. */
async function failedOver(cluster: Cluster): Promise<NodeProcess> {
  const { a, b } = pairOf(cluster);
  await cluster.postgres.stop("immediate");
  await Bun.sleep(1_000);
  await cluster.standby?.promote();
  for (const deadline = performance.now() + 40_000; performance.now() < deadline; ) {
    for (const node of [a, b]) if (await node.leads(500)) return node;
  }
  throw new Error(`Nobody leads: ${a.log.slice(-1_500)} ${b.log.slice(-1_500)}`);
}

async function judged(
  leader: NodeProcess,
  customer: ClusterCustomer,
  load: Load,
  carrier: { submits: number },
): Promise<FaultResult> {
  const lost = await lostOf(leader, customer, load.acknowledged);
  for (const key of load.attempted) await send(leader, customer, key, 15_000);
  const messages = countMessages(leader);
  await untilSubmitted(leader);
  const uncertain = rowsIn<{ n: number }>(
    leader.folder,
    "SELECT coalesce(sum(uncertain_attempts), 0) AS n FROM message",
  );
  const surplus = carrier.submits - messages - (uncertain[0]?.n ?? 0);
  return {
    accepted: load.acknowledged.size,
    lost: lost.length,
    doubled: messages - load.attempted.size + Math.max(0, surplus),
    wrong: 0,
    refusal: null,
  };
}

async function untilSubmitted(node: NodeProcess): Promise<void> {
  const waiting =
    "SELECT count(*) AS n FROM message WHERE state NOT IN ('submitted', 'delivered', 'failed', 'cancelled')";
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(200)) {
    if (rowsIn<{ n: number }>(node.folder, waiting)[0]?.n === 0) return;
  }
  throw new Error("Messages wait for ever");
}

/** A commit that PostgreSQL shows though its standby never had it: nobody may be told of it. Then the standby takes its place. */
export function unreplicatedRun(careless: readonly Careless[] = []): Promise<FaultResult> {
  return onCluster(careless, async (cluster) => {
    const { a } = pairOf(cluster);
    a.start();
    await require(a.leads(), "the node leads");
    const customer = await customerOn(a);
    await cluster.standby?.stop();
    const told = send(a, customer, "unreplicated", 5_000).catch(() => null);
    await Bun.sleep(600);
    await cluster.postgres.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'peyk leader%' AND wait_event = 'SyncRep'",
    );
    const sent = await told;
    await a.kill();
    await cluster.postgres.stop("immediate");
    await cluster.standby?.start();
    await cluster.standby?.promote();
    a.start();
    await require(a.leads(60_000), "the node leads again");
    const acknowledged = new Map(sent?.status === 202 ? [["unreplicated", sent.trackingCode ?? ""] as const] : []);
    const lost = await lostOf(a, customer, acknowledged);
    return { ...good, accepted: acknowledged.size, lost: lost.length };
  });
}

/** A cancel that PostgreSQL does not have yet: what is read of it meanwhile must be so after a take-over, too. */
export function readRun(careless: readonly Careless[] = []): Promise<FaultResult> {
  return onCluster(careless, async (cluster) => {
    const { a } = pairOf(cluster);
    a.start();
    await require(a.leads(), "the node leads");
    const customer = await customerOn(a);
    const code = await schedule(a, customer);
    const sql = new SQL(cluster.postgres.address("peyk"), { max: 1 });
    const holder = await sql.reserve();
    await holder.unsafe("BEGIN");
    await holder.unsafe("SELECT * FROM peyk_cluster.state FOR UPDATE");
    const cancel = fetch(`${a.url}/v1/messages/${code}/cancel`, {
      method: "POST",
      headers: { "x-api-key": customer.apiKey },
      signal: AbortSignal.timeout(4_000),
    }).catch(() => null);
    await Bun.sleep(300);
    const told = await statusOf(a, customer, code);
    await a.kill();
    await cancel;
    // Its statement waits for the lock, and would go on without it.
    await cluster.postgres.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'peyk leader%'",
    );
    await holder.unsafe("ROLLBACK");
    await sql.close({ timeout: 0 });
    a.start();
    await require(a.leads(), "the node leads again");
    const status = await statusOf(a, customer, code);
    return { ...good, accepted: 1, wrong: told !== null && told !== status ? 1 : 0 };
  });
}

async function schedule(node: NodeProcess, { apiKey, sender }: ClusterCustomer): Promise<string> {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const response = await fetch(`${node.url}/v1/messages/scheduled`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "idempotency-key": "scheduled" },
    body: JSON.stringify({ sender, recipient: "09121234500", message: "x", sendAt }),
  });
  const { trackingCode = "" }: { trackingCode?: string } = await response.json();
  return trackingCode;
}

/** Null where it is not told. */
async function statusOf(node: NodeProcess, { apiKey }: ClusterCustomer, code: string): Promise<string | null> {
  const url = `${node.url}/v1/messages/${code}`;
  const response = await fetch(url, { headers: { "x-api-key": apiKey }, signal: AbortSignal.timeout(8_000) }).catch(
    () => null,
  );
  if (response?.status !== 200) return null;
  const record: { status?: string } = await response.json();
  return record.status ?? null;
}
