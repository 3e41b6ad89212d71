/**
 * What it costs two nodes to compare their files: processor time beside another pair of the same sources that sums
 * nothing, both at rest on one PostgreSQL.
 */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Careless, carelessSources } from "../fault/careless-sources.ts";
import { type Cluster, makeClusterOn, type NodeProcess } from "../support/cluster.ts";
import { type PostgresPair, startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { cpuMicrosOf } from "./process-cpu.ts";
import type { Measure } from "./report.ts";

/** More than is summed within the time, so that every round is a full one. */
const ballastMb = 200;
const settleMs = 15_000;
const measuredMs = 60_000;
const shareMax = 0.02;

const withoutSums: Careless = {
  file: "src/cluster/sum-rounds.ts",
  line: "if (this.#deps.isNeeded()) {",
  instead: "if (this.#deps.isNeeded() && this.#isStopped) {",
};

function addBallast(folder: string): void {
  using database = new Database(join(folder, "peyk.db"), { readwrite: true, strict: true });
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ballastMb * 256})`;
  database.run(`CREATE TABLE ballast AS ${rows} SELECT randomblob(4000) AS octets FROM n`);
}

async function pairOn(postgres: PostgresPair, database: string, command: readonly string[]): Promise<Cluster> {
  const cluster = await makeClusterOn(postgres, {
    database,
    command,
    isDirect: true,
    fill: async (folder) => addBallast(folder),
  });
  const [a, b] = cluster.nodes;
  if (a === undefined || b === undefined) throw new Error("A cluster has two nodes");
  a.start();
  if (!(await a.leads())) throw new Error(`It never led: ${a.log}`);
  await cluster.join(a, b);
  b.start();
  if (!(await b.follows())) throw new Error(`It never followed: ${b.log}`);
  return cluster;
}

export async function clusterSumRows(): Promise<Measure[]> {
  const postgres = await startPostgres();
  const sources = [temporaryFolder(), temporaryFolder()];
  const clusters: Cluster[] = [];
  try {
    for (const [index, careless] of [[], [withoutSums]].entries())
      clusters.push(await pairOn(postgres, `sums${index}`, carelessSources(careless, sources[index]?.path ?? "")));
    await Bun.sleep(settleMs);
    const nodes = clusters.flatMap((cluster) => cluster.nodes);
    const before = nodes.map(cpuOf);
    await Bun.sleep(measuredMs);
    const [leads = 0, follows = 0, leadsWithout = 0, followsWithout = 0] = nodes.map(
      (node, index) => (cpuOf(node) - (before[index] ?? 0)) / 1_000 / measuredMs,
    );
    return [
      rowOf("summing pages: processor of a node that leads", leads, leadsWithout),
      rowOf("  of a node that follows", follows, followsWithout),
    ];
  } finally {
    for (const cluster of clusters) await cluster.remove();
    await postgres.remove();
    for (const folder of sources) folder.remove();
  }
}

const cpuOf = ({ pid }: NodeProcess): number => cpuMicrosOf([pid]);
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

const rowOf = (what: string, share: number, without: number): Measure => ({
  what,
  measured: percent(share),
  control: percent(without),
  bar: `${percent(shareMax)} more`,
  met: share - without <= shareMax,
});
