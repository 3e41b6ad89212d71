/**
 * Runs a node of a cluster: a standby until it takes over, then a server. When it loses the lead the process ends, and
 * follows after a restart: unfinalised statements keep a closed database open, while a follower writes to its file.
 */
import { ClusterNode } from "../cluster/cluster-node.ts";
import type { Engine } from "../cluster/engine.ts";
import { engineAddressesIn } from "../cluster/engine-file.ts";
import type { Leadership } from "../cluster/leadership.ts";
import { nodeKey } from "../cluster/node-key.ts";
import { requirePosition } from "../cluster/position.ts";
import { postgresEngine } from "../cluster/postgres-engine.ts";
import type { Settings } from "../config/settings.ts";
import { settingsSumOf } from "../config/settings-sum.ts";
import { version } from "../platform/version.ts";
import { lockFolder } from "../store/database.ts";
import { migrations } from "../store/migrations.ts";
import { openListeners } from "./listeners.ts";
import { type RunningServer, startServer } from "./server.ts";
import { openStandby } from "./standby.ts";
import { copyAges, standbyCopies } from "./standby-copies.ts";
import type { ServerEnvironment } from "./storage.ts";

export interface ClusterEnvironment extends ServerEnvironment {
  /** Holds the log; the PostgreSQL of cluster.engine_file unless given. */
  engine?: Engine;
  /** Another node leads, or this one cannot continue: the process must end at once, without another write. */
  lost(why: string): void;
  /**
   * From now on the process must not exit by closing the database: writes that another node lacks would go into its
   * file.
   */
  leads(): void;
  /** A line for people: what this node does now. */
  status?(line: string): void;
}

export interface RunningNode {
  reload: RunningServer["reload"];
  /** Resolves when the node has stopped or handed over; rejects with the reason it cannot take part. */
  ended: Promise<void>;
  /** Hands over and stops. */
  stop(): Promise<void>;
}

const bytesPerGb = 1_000_000_000;

/** What a node listens with, as it follows and as it leads. */
export interface NodeListeners {
  follows: typeof openStandby;
  leads: typeof openListeners;
}

const ownListeners: NodeListeners = { follows: openStandby, leads: openListeners };

function nodeOf(settings: Settings, environment: ClusterEnvironment): ClusterNode {
  const { clock, random, log, credentialsFolder, engine, lost } = environment;
  const { node: name, engineFile, keepGb } = settings.cluster;
  return new ClusterNode({
    folder: settings.dataDir,
    name,
    engine: engine ?? postgresEngine(engineAddressesIn(engineFile ?? "")),
    keepBytes: keepGb * bytesPerGb,
    secretKey: nodeKey(settings.dataDir, credentialsFolder),
    version,
    schema: migrations.length,
    settingsSum: settingsSumOf(settings),
    copies: () => copyAges(settings.dataDir, clock),
    clock,
    random,
    log,
    lost,
  });
}

export async function startNode(
  settings: Settings,
  environment: ClusterEnvironment,
  listeners = ownListeners,
): Promise<RunningNode> {
  const { random, log } = environment;
  const { node: name } = settings.cluster;
  const stop = new AbortController();
  let server: RunningServer | null = null;
  const node = nodeOf(settings, environment);
  // Before systemd is told that the node is ready.
  requirePosition(settings.dataDir);
  const stopAsked = new Promise<null>((resolve) => stop.signal.addEventListener("abort", () => resolve(null)));

  /** Systemd waits for a following node as for a leading one, and each begins as the first. */
  function announce(url: string): void {
    environment.announce?.({ url, probe: async () => server?.probe() ?? true });
  }

  async function follow(): Promise<Leadership | null> {
    const lock = lockFolder(settings.dataDir, true);
    try {
      const standby = await listeners.follows({ settings, random, log, state: () => node.state });
      const copies = standbyCopies({ ...environment, settings, node });
      try {
        log.info({ node: name, url: standby.url, version }, "this node follows");
        announce(standby.url);
        environment.status?.(`follows, at ${standby.url}`);
        return await node.follow(stop.signal);
      } finally {
        await copies?.stop();
        await standby.stop();
      }
    } finally {
      lock.close();
    }
  }

  async function lead(leadership: Leadership): Promise<void> {
    environment.leads();
    const announceLead = ({ url }: { url: string }) => environment.status?.(`leads, serving at ${url}`);
    const leading = { ...environment, announce: announceLead, leading: leadership };
    server = await startServer(settings, leading, listeners.leads);
    const next = await Promise.race([leadership.handOverAsked, stopAsked]);
    log.warn({ next }, "this node gives the lead of the cluster away");
    await server.stop();
    server = null;
    await leadership.end(next);
  }

  async function run(): Promise<void> {
    const leadership = await follow();
    if (leadership !== null) await lead(leadership);
    await node.close();
  }

  const ended = run();
  return {
    reload: () => server?.reload() ?? { refused: null, served: null },
    ended,
    stop() {
      stop.abort();
      return ended;
    },
  };
}
