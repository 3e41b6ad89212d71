/** The doctor's checks of a cluster: whether both nodes have the same key, settings and version, and what PostgreSQL risks. */
import type { ClusterReport } from "../cluster/cluster-report.ts";
import { type FollowerCopies, followerCopies } from "../conditions/follower-copies.ts";
import type { Settings } from "../config/settings.ts";
import { settingsSumOf } from "../config/settings-sum.ts";
import { bad, type Finding, ok, warn } from "../operator/finding.ts";
import { systemClock } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import { version } from "../platform/version.ts";

const check = "cluster";

export interface ClusterFindings {
  findings: Finding[];
  /** Frequent copies that another node made. */
  copies: FollowerCopies;
}

/** What this machine has, by sums; null where it cannot be read. */
export interface OwnSums {
  settings: string;
  version: string;
  key: Uint8Array | null;
}

/** `key`: the content of `secret.key`, null if it cannot be read here. */
export async function clusterFindings(settings: Settings, key: Uint8Array | null): Promise<ClusterFindings | null> {
  const { node, engineFile } = settings.cluster;
  if (node === "" && engineFile === null) return null;
  try {
    const { clusterReportOf } = await import("../cluster/cluster-report.ts");
    const { engineAddressesIn } = await import("../cluster/engine-file.ts");
    const { keyCheck } = await import("../cluster/entry.ts");
    const { PostgresConnection } = await import("../cluster/postgres-connection.ts");
    const { PostgresLogReader } = await import("../cluster/postgres-log.ts");
    const patience = { clock: systemClock, answerMsMax: 10_000 };
    const options = { name: "peyk doctor", isReplicated: false, patience };
    const connection = new PostgresConnection(engineAddressesIn(engineFile ?? ""), options);
    try {
      const report = await clusterReportOf(connection);
      const identity = await new PostgresLogReader(connection).identity();
      const others = { ...report, keyCheck: identity?.keyCheck ?? null };
      const own = { settings: settingsSumOf(settings), version, key: key === null ? null : keyCheck(key) };
      return { findings: comparedNodes(node, own, others), copies: copiesOfOthers(node, report) };
    } finally {
      await connection.close();
    }
  } catch (reason) {
    const finding = bad(check, errorMessage(reason), "peyk cluster status");
    return { findings: [finding], copies: followerCopies(null, Date.now()) };
  }
}

function copiesOfOthers(node: string, { nodes }: ClusterReport): FollowerCopies {
  const followers = nodes
    .filter(({ name }) => name !== node)
    .map(({ name, seenMsAgo, ...rest }) => ({ ...rest, node: name, unheardMs: seenMsAgo }));
  return followerCopies({ followers }, Date.now());
}

/** One finding for the key, one for each node, and one for each risk. */
export function comparedNodes(
  node: string,
  own: OwnSums,
  {
    nodes,
    leader,
    engine,
    keyCheck,
  }: Pick<ClusterReport, "nodes" | "leader" | "engine"> & { keyCheck: Uint8Array | null },
): Finding[] {
  const needed = nodes.find(({ name }) => name === leader)?.ported ?? null;
  return [
    leader === null ? bad(check, "no node leads", "peyk cluster status") : ok(check, `${leader} leads`),
    keyFinding(own.key, keyCheck),
    ...nodes.filter(({ name }) => name !== node).map((other) => nodeFinding(own, other, needed)),
    ...(nodes.some(({ name }) => name !== node)
      ? []
      : [
          warn(
            check,
            "no other node is known: nobody can take over",
            "peyk cluster copy, then on another machine: peyk cluster join",
          ),
        ]),
    ...(engine.isSynchronous
      ? []
      : [
          warn(
            check,
            "PostgreSQL has no synchronous standby: what was acknowledged is lost with its machine",
            "set synchronous_standby_names",
          ),
        ]),
    ...(engine.hasFsync
      ? []
      : [warn(check, "PostgreSQL does not sync: what was acknowledged is lost with a power cut", "set fsync = on")]),
  ];
}

function keyFinding(own: Uint8Array | null, kept: Uint8Array | null): Finding {
  const title = "cluster key";
  if (own === null || kept === null) return warn(title, "secret.key could not be compared", "run this as root");
  if (Buffer.compare(own, kept) === 0) return ok(title, "secret.key is the one that the cluster's log is sealed with");
  return bad(
    title,
    "secret.key is not the one that the cluster's log is sealed with",
    "copy it from the node that leads",
  );
}

function nodeFinding(
  own: OwnSums,
  { name, version: theirs, settingsSum, canWrite, heldBy, differs, ported }: ClusterReport["nodes"][number],
  needed: string | null,
): Finding {
  const title = `node ${name}`;
  if (differs !== null) {
    const whose = {
      own: "its own are wrong",
      leader: "the leader's are wrong",
      unknown: "nobody knows whose are right",
    };
    const says = `${differs.pages.length} pages of its database differ from the leader's; by the log ${whose[differs.wrong]}`;
    return bad(title, says, "peyk cluster status");
  }
  if (canWrite === false)
    return bad(title, "its disk is nearly full or refuses writes: it cannot take over", "free space there");
  if (heldBy !== null)
    return bad(
      title,
      `it cannot follow, nor take over, while ${heldBy} has its database open`,
      "end that program there",
    );
  if (needed !== null && ported !== needed)
    return bad(
      title,
      "it has not the leader's table of ported numbers: it does not take over",
      `bring ${needed} there`,
    );
  if (theirs !== own.version)
    return warn(title, `it runs Peyk ${theirs}, and this machine has ${own.version}`, "upgrade the older one");
  if (settingsSum !== own.settings)
    return warn(
      title,
      "its settings differ from those here: what one node accepts the other may refuse",
      "compare on both: peyk config show",
    );
  return ok(title, `same version and settings, ${theirs}`);
}
