/**
 * `peyk cluster …`: the nodes of a service that survives the loss of a machine. These commands talk to PostgreSQL, not
 * to the service.
 */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { ClusterReport } from "../cluster/cluster-report.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { systemClock } from "../platform/clock.ts";
import { systemRandom } from "../platform/random.ts";
import { keyFileName } from "../platform/seal.ts";
import { noun } from "./declared.ts";
import { CommandFailed } from "./errors.ts";
import type { CliIo } from "./io.ts";
import { becomeOwnerOf } from "./owner.ts";
import { withStartErrors } from "./start-error.ts";
import { formatFields, formatTable, joinLines } from "./text.ts";
import { type CommonOptions, dataDirOf, print, verb } from "./verb.ts";

/** A node that was seen this recently runs. */
const runsMs = 10_000;

export const clusterCommand = noun("cluster", "a second machine that takes over: begin, join, look, hand over, leave", {
  init,
  copy,
  join: joinNode,
  status,
  "hand-over": handOver,
  leave,
  forget,
});

function init(io: CliIo) {
  return verb("init", {
    does: "make this data folder the first node of a cluster; its service must be stopped",
    examples: ["peyk cluster init"],
  })
    .option("--again", "begin a new log in place of an earlier one of this installation: other nodes must join anew")
    .action((options) =>
      onCluster(io, options, async ({ connection, folder, key, name }) => {
        const { beginCluster } = await import("../cluster/membership.ts");
        const rules = { now: Date.now(), random: systemRandom, isAgain: options.again === true };
        const { generation } = await beginCluster(folder, key(), connection, rules);
        print(io, options, { node: name, generation }, () =>
          joinLines([
            `${folder} is the node ${name} of a new cluster, whose log is in PostgreSQL now. Start its service.`,
            `For another node: peyk cluster copy FILE here; bring FILE and ${keyFileName} there, and say: peyk cluster join FILE`,
          ]),
        );
      }),
    );
}

function copy(io: CliIo) {
  return verb("copy", {
    does: "copy the database of this node for another one, also while it is served",
    examples: ["peyk cluster copy /srv/peyk-node.copy"],
  })
    .argument("<file>", "the file to write")
    .action(async (file, options) => {
      const folder = dataDirOf(io, options);
      const target = resolve(file);
      const { copyForNode } = await import("../cluster/membership.ts");
      const made = await withStartErrors(folder, async () => copyForNode(folder, target));
      print(io, options, { file: target, ...made }, ({ bytes, sequence }) =>
        joinLines([
          `${target}: ${bytes} bytes, to be brought up to date from entry ${sequence} on.`,
          `It holds everything that the database holds, and alone it is no backup. ${keyFileName} is not in it.`,
        ]),
      );
    });
}

function joinNode(io: CliIo) {
  return verb("join", {
    does: "make this data folder a node with the data of a copy; its service must be stopped",
    examples: ["peyk cluster join /srv/peyk-node.copy"],
  })
    .argument("<file>", "what peyk cluster copy made on another node")
    .action(async (file, options) => {
      const { joinCluster, openNodeCopy } = await import("../cluster/membership.ts");
      const { PostgresLogReader } = await import("../cluster/postgres-log.ts");
      // Opened before dropping root: whoever brought the file may have made it root's.
      const copy = valueOrReason(() => openNodeCopy(resolve(file)));
      await onCluster(io, options, async ({ connection, folder, key, name }) => {
        const { sequence } = await joinCluster(folder, copy(), key(), new PostgresLogReader(connection), systemRandom);
        print(
          io,
          options,
          { node: name, sequence },
          () =>
            `${folder} is the node ${name} of the cluster. Start its service: it follows from entry ${sequence} on.\n`,
        );
      });
    });
}

function status(io: CliIo) {
  return verb("status", {
    does: "who leads, who follows, and what PostgreSQL risks",
    examples: ["peyk cluster status"],
  }).action((options) =>
    onCluster(io, options, async ({ connection }) => {
      const { clusterReportOf } = await import("../cluster/cluster-report.ts");
      print(io, options, await clusterReportOf(connection), statusText);
    }),
  );
}

function statusText({ leader, epoch, acknowledged, nodes, engine, warnings }: ClusterReport): string {
  const fields: [string, string][] = [
    ["leader", leader ?? "none"],
    ["epoch", `${epoch}`],
    ["entry", `${acknowledged}`],
    ["PostgreSQL", `${engine.version}, ${engine.isSynchronous ? "with" : "without"} a synchronous standby`],
    ["log", `${Math.round(engine.logBytes / 1e6)} MB`],
  ];
  const rows = nodes.map(({ name, leads, behind, seenMsAgo, version, schema, heldBy }) => [
    name,
    roleOf(leads, heldBy),
    `${behind}`,
    `${Math.round(seenMsAgo / 1_000)} s ago`,
    version,
    `${schema}`,
  ]);
  const table = formatTable(["NODE", "ROLE", "BEHIND", "SEEN", "VERSION", "SCHEMA"], rows);
  return `${formatFields(fields)}\n${table}${joinLines(warnings.map((one) => `! ${one}`))}`;
}

function roleOf(leads: boolean, heldBy: string | null): string {
  if (leads) return "leads";
  return heldBy === null ? "follows" : "waits";
}

function handOver(io: CliIo) {
  return verb("hand-over", {
    does: "let another node lead; nothing is lost, and requests wait or get 503 for a second or two",
    examples: ["peyk cluster hand-over", "peyk cluster hand-over --to b"],
  })
    .option("--to <node>", "the node that is to lead; any unless given")
    .action((options) =>
      onCluster(io, options, async ({ connection }) => {
        const { clusterReportOf } = await import("../cluster/cluster-report.ts");
        const { PostgresLease } = await import("../cluster/postgres-lease.ts");
        const { ablest, isBarred } = await import("../cluster/successor.ts");
        const { nodes, leader } = await clusterReportOf(connection);
        const isReady = ({ leads, seenMsAgo, heldBy }: (typeof nodes)[number]) =>
          !leads && seenMsAgo < runsMs && heldBy === null;
        const ready = nodes.filter(isReady).map(({ name }) => name);
        if (leader === null) throw new CommandFailed("cluster_refused", "No node leads.");
        if (ready.length === 0) throw new CommandFailed("cluster_refused", "No other node runs that could lead.");
        if (options.to !== undefined && !ready.includes(options.to))
          throw new CommandFailed(
            "cluster_refused",
            `${options.to} does not run, waits, or leads already. Others: ${ready.join(", ")}.`,
          );
        if (nodes.some(({ name, differs }) => name === options.to && isBarred(differs)))
          throw new CommandFailed(
            "cluster_refused",
            `The database file on ${options.to} differs from the leader's: it does not take over. See: peyk cluster status`,
          );
        const to = options.to ?? ablest(nodes, leader) ?? ready[0] ?? "*";
        await new PostgresLease(connection).askHandOver(to);
        print(io, options, { from: leader, to }, ({ from, to }) => `${from} hands over to ${to}.\n`);
      }),
    );
}

function leave(io: CliIo) {
  return verb("leave", {
    does: "take this data folder out of the cluster, with all that its log holds; its service must be stopped",
    examples: ["peyk cluster leave"],
  }).action((options) =>
    onCluster(io, options, async ({ connection, folder, key, name }) => {
      const { leaveCluster } = await import("../cluster/membership.ts");
      const { clusterReportOf } = await import("../cluster/cluster-report.ts");
      const { leader } = await clusterReportOf(connection);
      const left = await leaveCluster(folder, key(), connection, name);
      if (left === null) throw new CommandFailed("cluster_refused", `${folder} is no node's of a cluster.`);
      print(io, options, { node: name, sequence: left.sequence, leader }, () =>
        joinLines([
          `${folder} is a folder of its own again, with all entries up to ${left.sequence}.`,
          "Take cluster.node and cluster.engine_file out of its settings before its service starts.",
          ...(leader === null
            ? []
            : [
                `${leader} leads the cluster and may go on: two services that start from the same data send what waits twice.`,
              ]),
        ]),
      );
    }),
  );
}

function forget(io: CliIo) {
  return verb("forget", {
    does: "wait no more for a node that does not come back: the log is kept for it otherwise",
    examples: ["peyk cluster forget b"],
  })
    .argument("<node>", "its name")
    .action((node, options) =>
      onCluster(io, options, async ({ connection }) => {
        const { clusterReportOf } = await import("../cluster/cluster-report.ts");
        const { PostgresLease } = await import("../cluster/postgres-lease.ts");
        const { nodes } = await clusterReportOf(connection);
        if (nodes.some(({ name, seenMsAgo }) => name === node && seenMsAgo < runsMs))
          throw new CommandFailed("cluster_refused", `${node} runs. A running node is not forgotten: stop it first.`);
        if (!(await new PostgresLease(connection).forget(node)))
          throw new CommandFailed("cluster_refused", `No node is named ${node}.`);
        print(io, options, { node }, () => `${node} is forgotten. Should it come back, it is known again.\n`);
      }),
    );
}

interface OnCluster {
  connection: import("../cluster/postgres-connection.ts").PostgresConnection;
  folder: string;
  name: string;
  /** @throws KeyFileError */
  key(): Uint8Array;
}

async function onCluster(
  io: CliIo,
  options: CommonOptions,
  work: (cluster: OnCluster) => Promise<void>,
): Promise<void> {
  const folder = dataDirOf(io, options);
  const { cluster } = clusterSettings(io, options);
  await withStartErrors(folder, async () => {
    const { engineAddressesIn } = await import("../cluster/engine-file.ts");
    const { nodeKey } = await import("../cluster/node-key.ts");
    const { PostgresConnection } = await import("../cluster/postgres-connection.ts");
    const addresses = engineAddressesIn(cluster.engineFile);
    // Read before dropping root: only root may read systemd's copy of it.
    const key = () => nodeKey(folder, installedKeyFolder);
    const kept = valueOrReason(key);
    if (existsSync(folder)) becomeOwnerOf(realpathSync(folder));
    const patience = { clock: systemClock, answerMsMax: 30_000 };
    const connection = new PostgresConnection(addresses, { name: "peyk command", isReplicated: true, patience });
    try {
      await work({ connection, folder, name: cluster.node, key: kept });
    } finally {
      await connection.close();
    }
  });
}

/** Where the installer puts an installed service's key. */
const installedKeyFolder = "/etc/peyk";

/** Reads a file now, but throws only when called. */
function valueOrReason<T>(read: () => T): () => T {
  try {
    const value = read();
    return () => value;
  } catch (reason) {
    return () => {
      throw reason;
    };
  }
}

function clusterSettings(io: CliIo, { dataDir }: CommonOptions): { cluster: { node: string; engineFile: string } } {
  const loaded = loadSettings({ flags: { data_dir: dataDir }, env: io.env, readFile: io.readFile });
  if (!loaded.ok)
    throw new CommandFailed(
      "settings_invalid",
      ["The settings are wrong:", ...loaded.problems.map((problem) => problem.message)].join("\n"),
    );
  return { cluster: requireCluster(loaded.settings) };
}

/** @throws CommandFailed if the settings name no cluster */
export function requireCluster({ cluster: { node, engineFile } }: Settings): { node: string; engineFile: string } {
  if (node !== "" && engineFile !== null) return { node, engineFile };
  throw new CommandFailed("settings_invalid", "Set both cluster.node, a name for this node, and cluster.engine_file.");
}
