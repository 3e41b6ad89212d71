/**
 * Puts the public API of a test behind a cluster's log, where `bun run test:cluster` names a PostgreSQL: each store in a
 * database of its own, led by one node.
 */
import { SQL } from "bun";
import { ClusterNode } from "../../src/cluster/cluster-node.ts";
import type { Leadership } from "../../src/cluster/leadership.ts";
import { beginCluster } from "../../src/cluster/membership.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { postgresEngine } from "../../src/cluster/postgres-engine.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";

/** Such as `postgres://postgres@127.0.0.1:5432`. */
export const clusterEngineVariable = "TEST_CLUSTER_ENGINE";

/** Null outside `bun run test:cluster`. */
export async function leadershipOf(folder: string, now: number): Promise<Leadership | null> {
  const server = process.env[clusterEngineVariable] ?? "";
  if (server === "") return null;
  const database = `api_${crypto.randomUUID().replaceAll("-", "")}`;
  await using sql = new SQL(`${server}/postgres`, { max: 1 });
  await sql.unsafe(`CREATE DATABASE ${database}`);
  const addresses = [`${server}/${database}`];
  const secretKey = systemRandom.bytes(32);
  const connection = new PostgresConnection(addresses, { name: "test", isReplicated: true });
  await beginCluster(folder, secretKey, connection, { now, random: systemRandom, isAgain: false });
  await connection.close();
  const node = new ClusterNode({
    folder,
    name: "a",
    engine: postgresEngine(addresses),
    keepBytes: 1e9,
    secretKey,
    version: "test",
    schema: 0,
    settingsSum: "",
    copies: () => ({ copiedMsAgo: null, shippedMsAgo: null }),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    lost(why) {
      throw new Error(`The test's node leads no more: ${why}`);
    },
  });
  const leadership = await node.follow(AbortSignal.timeout(30_000));
  await node.close();
  if (leadership === null) throw new Error("The test's node never led");
  return leadership;
}
