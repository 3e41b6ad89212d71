/** An append by a leader that was replaced: the engine must refuse it, even if it follows the newest entry. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { epochKey, sealEntry } from "../../src/cluster/entry.ts";
import { PostgresConnection } from "../../src/cluster/postgres-connection.ts";
import { PostgresLease } from "../../src/cluster/postgres-lease.ts";
import { beginLog, firstSum } from "../../src/cluster/postgres-schema.ts";
import { startPostgres } from "../support/postgres.ts";
import { type Careless, carelessSources } from "./careless-sources.ts";
import { good } from "./cluster-scene.ts";
import type { FaultResult } from "./thin-rig.ts";

export const withoutEpoch: readonly Careless[] = [
  {
    file: "src/cluster/postgres-log.ts",
    line: "FROM peyk_cluster.state WHERE epoch = $1 FOR SHARE",
    instead: "FROM peyk_cluster.state WHERE $1::bigint IS NOT NULL FOR SHARE",
  },
];

export async function oldEpochRun(careless: readonly Careless[] = []): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), "peyk-careless-"));
  const pair = await startPostgres();
  const connection = new PostgresConnection([pair.primary.address("postgres")], { name: "test", isReplicated: true });
  try {
    carelessSources(careless, folder);
    const { PostgresLogWriter }: typeof import("../../src/cluster/postgres-log.ts") = await import(
      join(folder, "src/cluster/postgres-log.ts")
    );
    const generation = "g-1";
    await beginLog(connection, { installation: "i-1", generation, keyCheck: new Uint8Array(32) }, false);
    const lease = new PostgresLease(connection);
    const key = epochKey(new Uint8Array(32), new Uint8Array(16), generation);
    const epochs: number[] = [];
    for (const node of ["a", "b"]) {
      const seen = await lease.state();
      if (seen !== null) epochs.push((await lease.takeOver(seen, node, new Uint8Array(16))) ?? 0);
    }
    const [older = 0] = epochs;
    const pages = { pageBytes: 512, pageCount: 1, pages: new Map([[1, new Uint8Array(512)]]) };
    const before = firstSum(generation);
    const entry = sealEntry({ epoch: older, sequence: 1 }, pages, key, before);
    const isTaken = await new PostgresLogWriter(connection).append(entry, before);
    return { ...good, wrong: isTaken ? 1 : 0 };
  } finally {
    await connection.close();
    await pair.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}
