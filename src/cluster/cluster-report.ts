/** The state of a cluster as seen in its log: the leader, how far followers lag, and what PostgreSQL puts at risk. */
import type { Difference, EngineSession, NodeState } from "./engine.ts";
import { ClusterRefused } from "./errors.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { PostgresLease } from "./postgres-lease.ts";
import { PostgresLogReader } from "./postgres-log.ts";

export interface ClusterReport {
  leader: string | null;
  epoch: number;
  /** The newest entry that is certain to be replicated. */
  acknowledged: number;
  nodes: (Omit<NodeState, "instance"> & { leads: boolean; behind: number })[];
  engine: { version: number; isSynchronous: boolean; hasFsync: boolean; logBytes: number };
  /** One sentence for each problem. */
  warnings: string[];
}

/** Nodes report every two to five seconds. */
const unheardMs = 20_000;
const behindMax = 5_000;

/** @throws ClusterRefused if there is no log, EngineUnavailable */
export const clusterReportOf = (connection: PostgresConnection): Promise<ClusterReport> =>
  clusterReportFrom({ reader: new PostgresLogReader(connection), lease: new PostgresLease(connection) });

/** @throws ClusterRefused if there is no log, EngineUnavailable */
export async function clusterReportFrom({
  reader,
  lease: table,
}: Pick<EngineSession, "reader" | "lease">): Promise<ClusterReport> {
  if ((await reader.identity()) === null)
    throw new ClusterRefused(
      "The database in cluster.engine_file holds no cluster's log. It begins with: peyk cluster init",
    );
  const lease = await table.state();
  const acknowledged = lease?.acknowledged ?? 0;
  const nodes = (await table.nodes()).map(({ instance: _, ...node }) => {
    const leads = node.name === lease?.holder;
    return { ...node, leads, behind: leads ? 0 : Math.max(0, acknowledged - node.position) };
  });
  const engine = await table.health();
  const report = { leader: lease?.holder ?? null, epoch: lease?.epoch ?? 0, acknowledged, nodes, engine };
  return { ...report, warnings: warningsOf(report) };
}

function warningsOf({ leader, nodes, engine }: Omit<ClusterReport, "warnings">): string[] {
  const warnings: string[] = [];
  if (leader === null) warnings.push("No node leads.");
  if (!engine.isSynchronous)
    warnings.push(
      "PostgreSQL has no synchronous standby: what was acknowledged is lost with its machine (synchronous_standby_names).",
    );
  if (!engine.hasFsync)
    warnings.push("PostgreSQL does not sync (fsync = off): what was acknowledged is lost with a power cut.");
  const needed = nodes.find(({ leads }) => leads)?.ported ?? null;
  for (const { name, seenMsAgo, behind, canWrite, heldBy, differs, ported } of nodes) {
    if (differs !== null) warnings.push(differenceText(name, differs));
    if (canWrite === false && seenMsAgo < unheardMs)
      warnings.push(`The disk of ${name} is nearly full or refuses writes: ${name} cannot take over.`);
    if (needed !== null && ported !== needed)
      warnings.push(`${name} does not take over before it has ${needed} of ${leader}'s data folder (ported numbers).`);
    if (heldBy !== null && seenMsAgo < unheardMs)
      warnings.push(`${name} cannot follow until ${heldBy} closes its database there.`);
    if (seenMsAgo >= unheardMs) warnings.push(`${name} was last heard of ${Math.round(seenMsAgo / 1_000)} s ago.`);
    else if (behind > behindMax) warnings.push(`${name} is ${behind} entries behind.`);
  }
  if (nodes.filter(({ seenMsAgo }) => seenMsAgo < unheardMs).length < 2)
    warnings.push("Only one node runs: nobody can take over.");
  if (new Set(nodes.map(({ settingsSum }) => settingsSum)).size > 1)
    warnings.push("The nodes have different settings: what one accepts another may refuse.");
  if (new Set(nodes.map(({ version }) => version)).size > 1)
    warnings.push("The nodes have different versions of Peyk.");
  return warnings;
}

function differenceText(name: string, { pages: { length }, wrong, entry }: Difference): string {
  const what = `${length} pages of ${name} differ from the leader's since entry ${entry}`;
  if (wrong === "leader")
    return `${what}, and the log proves the leader's wrong: hand over to ${name}, then fetch the data of the other node anew.`;
  const why = wrong === "own" ? "the log proves them wrong" : "the log no longer tells whose are right";
  return `${what}, and ${why}: ${name} does not take over. Fetch its data anew: peyk cluster copy on the leader, peyk cluster join on ${name}.`;
}
