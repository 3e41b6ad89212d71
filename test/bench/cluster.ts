/**
 * A cluster beside one node of the same build: PostgreSQL and its synchronous standby sync, and everything shares this
 * machine, so that only the ratios mean something.
 */
import { SQL } from "bun";
import { distributionOf, takeOvers } from "../fault/take-overs-rig.ts";
import { type Cluster, countMessages, customerOn, makeClusterOn, type NodeProcess } from "../support/cluster.ts";
import { diligentSettings, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { alternate, assertAnswered, rateOf, ratioOf } from "./alternate.ts";
import type { BenchServer } from "./bench-server.ts";
import { measured, type Round, startPeykBefore } from "./e2e.ts";
import { type Peer, startPeer } from "./peer.ts";
import { type Measure, median, milliseconds, perSecond } from "./report.ts";
import type { Scale } from "./scale.ts";
import { type LoadResult, load } from "./wrk.ts";

const appendBytes = 8_192;
/** Renewals of the lease in an hour. */
const renewalsPerHour = 7_200;
const takeOverRuns = 8;
const window = 500;

const bars = {
  throughput: 0.7,
  latency: 1,
  kbPerMessage: 0.5,
  snapshot: 1.2,
  behindMs: 1_000,
  killMs: 7_000,
  handOverMs: 2_000,
};

interface Sides {
  scale: Scale;
  postgres: PostgresServer;
  cluster: Cluster;
  leader: NodeProcess;
  follower: NodeProcess;
  apiKey: string;
  single: BenchServer;
  peer: Peer;
}

export async function clusterRows(scale: Scale): Promise<Measure[]> {
  const pair = await startPostgres({ lines: diligentSettings });
  const cluster = await makeClusterOn(pair, { isDirect: true });
  const peer = await startPeer();
  const folder = temporaryFolder();
  try {
    const [leader, follower] = cluster.nodes;
    if (leader === undefined || follower === undefined) throw new Error("A cluster has two nodes");
    leader.start();
    if (!(await leader.leads())) throw new Error(`The node never led: ${leader.log}`);
    const link = { host: "127.0.0.1", port: peer.port, systemId: "peyk", password: "bench", window };
    await leader.operate("POST", "/routes", { name: "peer", kind: "smpp", options: link });
    const { apiKey } = await customerOn(leader, ["peer"]);
    await cluster.join(leader, follower);
    follower.start();
    if (!(await follower.follows())) throw new Error(`The node never followed: ${follower.log}`);
    const single = await startPeykBefore(peer, { folder: folder.path });
    try {
      const sides = { scale, postgres: pair.primary, cluster, leader, follower, apiKey, single, peer };
      return [
        ...(await throughputRows(sides)),
        ...(await endToEndRow(sides)),
        ...(await latencyRows(sides)),
        ...(await behindRow(sides)),
        ...(await takeOverRows()),
      ];
    } finally {
      await single.stop();
    }
  } finally {
    await cluster.remove();
    await pair.remove();
    peer.stop();
    folder.remove();
  }
}

/** In their own cluster, since its leader is lost again and again. */
async function takeOverRows(): Promise<Measure[]> {
  const { tookMs, result } = await takeOvers(takeOverRuns);
  if (result.lost + result.doubled + result.wrong > 0) throw new Error(`Take-overs harmed: ${JSON.stringify(result)}`);
  const killed = distributionOf(tookMs.killed).most;
  const handed = distributionOf(tookMs["handed over"]).most;
  return [
    { what: "kill to the next 202, longest", measured: milliseconds(killed), bar: "7 s", met: killed <= bars.killMs },
    {
      what: "hand-over to the next 202, longest",
      measured: milliseconds(handed),
      bar: "2 s",
      met: handed <= bars.handOverMs,
    },
  ];
}

const loads = ({ scale, leader, apiKey, single }: Sides, connections: number) => {
  const options = { script: "send.lua", seconds: scale.loadSeconds, connections } as const;
  return [
    () => load({ ...options, url: leader.url, apiKey }),
    () => load({ ...options, url: single.peyk.url, apiKey: single.customer.apiKey }),
  ] as const;
};

async function routes({ leader, single }: Sides, verb: "enable" | "disable"): Promise<void> {
  await leader.operate("POST", `/routes/peer/${verb}`);
  await single.peyk.operate("POST", `/routes/peer/${verb}`);
}

async function throughputRows(sides: Sides): Promise<Measure[]> {
  const { scale, postgres } = sides;
  await routes(sides, "disable");
  const [ours, alone] = loads(sides, scale.connections);
  await ours();
  await alone();
  const before = await logOf(postgres, sides.leader);
  const [shipped, local] = await alternate(scale.rounds, [ours, alone]);
  const after = await logOf(postgres, sides.leader);
  assertAnswered(shipped, local);
  const share = ratioOf(shipped, local);
  const kb = (after.bytes - before.bytes) / 1_000 / (after.messages - before.messages);
  return [
    {
      what: `accept in a cluster, ${scale.connections} connections, beside one node`,
      measured: perSecond(rateOf(shipped)),
      control: perSecond(rateOf(local)),
      ratio: share,
      bar: `${bars.throughput}`,
      met: share >= bars.throughput,
    },
    {
      what: "  log of a message",
      measured: `${kb.toFixed(2)} KB`,
      bar: `${bars.kbPerMessage} KB`,
      met: kb <= bars.kbPerMessage,
    },
  ];
}

/** Sealed octets of all entries, and messages, so far. Fewer entries are expected than a run of the table holds. */
async function logOf(postgres: PostgresServer, leader: NodeProcess): Promise<{ bytes: number; messages: number }> {
  const tables = await postgres.run(
    "SELECT relname FROM pg_class WHERE relnamespace = 'peyk_cluster'::regnamespace AND relname ~ '^entry_[0-9]+$'",
    "peyk",
  );
  let bytes = 0;
  for (const { relname } of tables) {
    const [row] = await postgres.run(
      `SELECT coalesce(sum(length(bytes)), 0)::float8 AS n FROM peyk_cluster.${relname}`,
      "peyk",
    );
    bytes += Number(row?.n ?? 0);
  }
  return { bytes, messages: countMessages(leader) };
}

async function endToEndRow(sides: Sides): Promise<Measure[]> {
  const { scale, peer } = sides;
  const [ours, alone] = loads(sides, scale.connections);
  await routes(sides, "enable");
  await measured(peer, [], ours);
  await measured(peer, [], alone);
  const [shipped, local]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < scale.rounds; round += 1) {
    shipped.push(await measured(peer, [], ours));
    local.push(await measured(peer, [], alone));
  }
  await routes(sides, "disable");
  const share = median(shipped.map((round, index) => round.perSecond / (local[index]?.perSecond ?? Number.NaN)));
  const rate = (rounds: readonly Round[]) => perSecond(median(rounds.map((round) => round.perSecond)));
  return [
    {
      what: "accept → submit → receipt → delivered in a cluster, beside one node",
      measured: rate(shipped),
      control: rate(local),
      ratio: share,
      bar: `${bars.throughput}`,
      met: share >= bars.throughput,
    },
  ];
}

/** One connection with one node and a bare append, in turn; then with a snapshot as old as an hour of renewals. */
async function latencyRows(sides: Sides): Promise<Measure[]> {
  const { scale, postgres } = sides;
  const [ours, alone] = loads(sides, 1);
  await using sql = new SQL(postgres.address("postgres"), { max: 1 });
  await sql.unsafe("CREATE TABLE IF NOT EXISTS bare (sequence bigserial PRIMARY KEY, bytes bytea NOT NULL)");
  await sql.unsafe("ALTER TABLE bare ALTER COLUMN bytes SET STORAGE EXTERNAL");
  const appending = () => bareAppends(sql, scale.loadSeconds);
  const [shipped = [], local = [], appended = []] = await alternate(scale.rounds, [ours, alone, appending]);
  assertAnswered(shipped, local);
  const meanMs = (results: readonly LoadResult[]) => results.map(({ perSecond }) => 1_000 / perSecond);
  const [oursMs, aloneMs, appendMs] = [meanMs(shipped), meanMs(local), meanMs(appended)];
  const ratio = median(oursMs.map((one, round) => one / ((aloneMs[round] ?? 0) + (appendMs[round] ?? 0))));
  const snapshotMs =
    1_000 / (await underOldSnapshot(postgres, async () => rateOf((await alternate(scale.rounds, [ours]))[0])));
  return [
    {
      what: "one connection: a message, beside one node and a bare append of 8 KB",
      measured: milliseconds(median(oursMs)),
      control: `${milliseconds(median(aloneMs))} + ${milliseconds(median(appendMs))}`,
      ratio,
      bar: `${bars.latency.toFixed(2)}`,
      met: ratio <= bars.latency,
    },
    {
      what: "  the same under an hour-old snapshot",
      measured: milliseconds(snapshotMs),
      control: milliseconds(median(oursMs)),
      ratio: snapshotMs / median(oursMs),
      bar: `${bars.snapshot}`,
      met: snapshotMs / median(oursMs) <= bars.snapshot,
    },
  ];
}

/** Replicated inserts of 8 KB, one at a time. Its rate counts slow syncs, as that of a load by one connection does. */
async function bareAppends(sql: SQL, seconds: number): Promise<LoadResult> {
  const bytes = crypto.getRandomValues(new Uint8Array(appendBytes));
  const times: number[] = [];
  const begunAt = performance.now();
  while (performance.now() - begunAt < seconds * 1_000) {
    const startedAt = performance.now();
    await sql.unsafe("INSERT INTO bare (bytes) VALUES ($1)", [bytes]);
    times.push(performance.now() - startedAt);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const perSecond = (1_000 * times.length) / (performance.now() - begunAt);
  return { perSecond, p50: at(0.5), p99: at(0.99), max: at(1), errors: 0 };
}

/** What an hour leaves behind while somebody reads: a row version for each renewal of the lease, none of which can be vacuumed. */
async function underOldSnapshot<T>(postgres: PostgresServer, work: () => Promise<T>): Promise<T> {
  await using sql = new SQL(postgres.address("peyk"), { max: 2 });
  const reader = await sql.reserve();
  await reader.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await reader.unsafe("SELECT count(*) FROM peyk_cluster.lease");
  await using writer = new SQL(postgres.address("peyk"), { max: 1, connection: { synchronous_commit: "off" } });
  for (let renewal = 0; renewal < renewalsPerHour; renewal += 1)
    await writer.unsafe("UPDATE peyk_cluster.lease SET confirmed = confirmed");
  try {
    return await work();
  } finally {
    await reader.unsafe("ROLLBACK");
    reader.release();
  }
}

/** How long after the leader the other node has an entry, while customers send as fast as they can. */
async function behindRow(sides: Sides): Promise<Measure[]> {
  const { scale, postgres, follower } = sides;
  const [ours] = loads(sides, scale.connections);
  let isLoaded = true;
  const loaded = ours().finally(() => {
    isLoaded = false;
  });
  const behindMs: number[] = [];
  while (isLoaded) {
    const [lease] = await postgres.run("SELECT acknowledged::float8 AS n FROM peyk_cluster.lease", "peyk");
    const startedAt = performance.now();
    while ((await entryOf(follower)) < Number(lease?.n ?? 0)) await Bun.sleep(5);
    behindMs.push(performance.now() - startedAt);
  }
  await loaded;
  const most = Math.max(...behindMs);
  return [
    {
      what: "the standby is behind under load, at most",
      measured: milliseconds(most),
      bar: "1 s",
      met: most <= bars.behindMs,
    },
  ];
}

async function entryOf({ consoleUrl }: NodeProcess): Promise<number> {
  const metrics = await (await fetch(`${consoleUrl}/metrics`)).text();
  return Number(/^peyk_cluster_entry (\d+)$/m.exec(metrics)?.[1] ?? 0);
}
