/** What may happen to a leader under load, to PostgreSQL, and to reads; controls run sources with one guard removed. */
import { SQL } from "bun";
import { type ClusterCustomer, customerOn, lostOf, type NodeProcess, send } from "../support/cluster.ts";
import { endLeadersBesideCopies } from "../support/held-copies.ts";
import type { Careless } from "./careless-sources.ts";
import { good, judged, leaderOf, onCluster, onScene, pairOf, require, type Scene } from "./cluster-scene.ts";
import type { FaultResult } from "./thin-rig.ts";

/** What happens to the leader under load. */
export type LeaderFault = keyof typeof happenings;

const workers = 12;
const messagesBefore = 150;
const messagesAfter = 50;

export const withoutGate: readonly Careless[] = [
  {
    file: "src/cluster/cluster-gate.ts",
    line: "if (!this.lease.isGood) return Promise.reject(lapsed());",
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

/** The newest entry is taken for the position of a file that ends beside a reader, and nobody waits for that reader. */
export const withoutPosition: readonly Careless[] = [
  {
    file: "src/cluster/leadership.ts",
    line: "closed: () => this.#tryToKeep({ ...this.#position, hasLed: false }),",
    instead:
      "closed: () => this.#tryToKeep({ ...this.#position, sequence: shipper.acknowledged, sum: shipper.sum, hasLed: false }),",
  },
  { file: "src/cluster/replica.ts", line: "const holder = this.#lock.take();", instead: "const holder = null;" },
];

/** Leaders that stop and hand over while a copy of their database is held, both nodes in turn. */
export function heldCopyRun(careless: readonly Careless[] = []): Promise<FaultResult> {
  const isCareless = careless.length > 0;
  return onScene({ workers, pauseMs: 20, careless }, async (scene) => {
    try {
      await endLeadersBesideCopies(scene.cluster, scene.load, !isCareless);
      return await judged(scene);
    } catch (reason) {
      // A damaged database ends a node of the control.
      if (!isCareless) throw reason;
      return { ...good, accepted: scene.load.acknowledged.size, refusal: String(reason) };
    }
  });
}

/** A leader under load, what happens to it, and what the other node has of the acknowledged messages. */
export function takeOverRun(fault: LeaderFault): Promise<FaultResult> {
  return onScene({ workers }, async (scene) => {
    await scene.load.acknowledges(messagesBefore);
    await happenings[fault](scene);
    await scene.load.acknowledges(messagesAfter);
    return judged(scene);
  });
}

/** Each resolves once both nodes are back. */
const happenings = {
  async killed({ a, b }: Scene) {
    await a.kill();
    await require(b.leads(), "the second node leads");
    a.start();
    await require(a.follows(), "the first node follows");
  },
  async "frozen for 30 s"({ a, b }: Scene) {
    a.signal("SIGSTOP");
    const frozenAt = performance.now();
    await require(b.leads(), "the second node leads");
    await Bun.sleep(Math.max(0, 30_000 - (performance.now() - frozenAt)));
    a.signal("SIGCONT");
    await require(a.follows(), "the first node follows");
  },
  async "cut off from PostgreSQL"({ a, b }: Scene) {
    a.proxy.cut();
    await require(b.leads(), "the second node leads");
    a.proxy.mend();
    await require(a.follows(), "the first node follows");
  },
  async "cut off from the carrier"({ a, carrierProxy }: Scene) {
    carrierProxy.cut();
    await Bun.sleep(3_000);
    await require(a.leads(1_000), "the first node still leads");
    carrierProxy.mend();
  },
  async "cut off from PostgreSQL and the carrier"({ a, b, carrierProxy }: Scene) {
    carrierProxy.cut();
    a.proxy.cut();
    await require(b.leads(), "the second node leads");
    carrierProxy.mend();
    a.proxy.mend();
    await require(a.follows(), "the first node follows");
  },
  async "killed, and its transaction left open"({ a, b, cluster: { postgres } }: Scene) {
    const left = new SQL(postgres.address("peyk"), { max: 1, connection: { application_name: "peyk leader 1" } });
    const session = await left.reserve();
    await session.unsafe("BEGIN");
    await session.unsafe("SELECT * FROM peyk_cluster.state FOR UPDATE");
    await a.kill();
    try {
      await require(b.leads(), "the second node leads");
    } finally {
      await left.close({ timeout: 0 }).catch(() => {});
    }
    a.start();
    await require(a.follows(), "the first node follows");
  },
  async "with a failed PostgreSQL"({ a, b, cluster: { postgres, standby } }: Scene) {
    await postgres.stop("immediate");
    await Bun.sleep(1_000);
    await standby.promote();
    await leaderOf({ a, b });
  },
  async "with a frozen PostgreSQL"({ a, b, cluster: { postgres } }: Scene) {
    postgres.signal("SIGSTOP");
    await Bun.sleep(8_000);
    postgres.signal("SIGCONT");
    await leaderOf({ a, b });
  },
} as const satisfies Record<string, (scene: Scene) => Promise<void>>;

/** A commit that PostgreSQL shows although its standby never had it: nobody may be told of it. Then the standby is promoted. */
export function unreplicatedRun(careless: readonly Careless[] = []): Promise<FaultResult> {
  return onCluster(careless, async (cluster) => {
    const { a } = pairOf(cluster);
    a.start();
    await require(a.leads(), "the node leads");
    const customer = await customerOn(a);
    await cluster.standby.stop();
    const told = send(a, customer, "unreplicated", 5_000).catch(() => null);
    await Bun.sleep(600);
    await cluster.postgres.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'peyk leader%' AND wait_event = 'SyncRep'",
    );
    const sent = await told;
    await a.kill();
    await cluster.postgres.stop("immediate");
    await cluster.standby.start();
    await cluster.standby.promote();
    a.start();
    await require(a.leads(60_000), "the node leads again");
    const acknowledged = new Map(sent?.status === 202 ? [["unreplicated", sent.trackingCode ?? ""] as const] : []);
    const lost = await lostOf(a, customer, acknowledged);
    return { ...good, accepted: acknowledged.size, lost: lost.length };
  });
}

/** A cancel that PostgreSQL does not have yet: what is read of it meanwhile must still be true after a take-over. */
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
    // Its statement waits for the lock, and would continue without it.
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

/** Null if it was not told. */
async function statusOf(node: NodeProcess, { apiKey }: ClusterCustomer, code: string): Promise<string | null> {
  const url = `${node.url}/v1/messages/${code}`;
  const response = await fetch(url, { headers: { "x-api-key": apiKey }, signal: AbortSignal.timeout(8_000) }).catch(
    () => null,
  );
  if (response?.status !== 200) return null;
  const record: { status?: string } = await response.json();
  return record.status ?? null;
}
