/** The frequent copies of a following node: they spare the leading one, which serves, from reading its whole database. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ClusterNode } from "../cluster/cluster-node.ts";
import type { CopyAges } from "../cluster/engine.ts";
import type { Settings } from "../config/settings.ts";
import { shippedAt } from "../operator/standing.ts";
import type { Clock } from "../platform/clock.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { frequentBackup } from "../platform/frequent-backup.ts";
import type { Logger } from "../platform/log.ts";
import { type PeykProcess, runPeyk } from "../platform/peyk-process.ts";
import { rotatingBackup } from "../platform/rotating-backup.ts";
import { readShipping } from "../platform/shipping.ts";
import { databaseFileName } from "../store/database.ts";
import { recentCopies } from "./recent-copies.ts";

export interface StandbyCopyDeps {
  settings: Settings;
  clock: Clock;
  log: Logger;
  node: Pick<ClusterNode, "copyTo">;
  /** Runs a command of this build beside the service; its own by default. */
  runCommand?: ((args: readonly string[]) => PeykProcess) | undefined;
}

/** Beside the file that SQLite makes of it, and on the same disk. */
const rawFolderName = "following";
const spareBytes = 64 * 1024 * 1024;

/** Null where no frequent copies are wanted. */
export function standbyCopies(deps: StandbyCopyDeps): { stop(): Promise<void> } | null {
  const { settings, clock, log } = deps;
  const everyMs = settings.backup.everyMinutes * 60_000;
  if (everyMs === 0) return null;
  const { dataDir } = settings;
  const copy = (file: string) => copyOf(deps, file);
  const backup = rotatingBackup({ ...recentCopies, dataDir, now: clock.now, log, copy, ended: () => {} });
  return frequentBackup({ backup, everyMs, clock });
}

/** What the node tells the others of its copies. */
export function copyAges(dataDir: string, clock: Pick<Clock, "now">): CopyAges {
  const ago = (at: number | null) => (at === null ? null : Math.max(0, clock.now() - at));
  return { copiedMsAgo: ago(recentCopies.newestIn(dataDir)), shippedMsAgo: ago(shippedAt(readShipping(dataDir))) };
}

/** The file as it is, copied while nothing is written to it; then, without hurry, what every backup is. */
function copyOf({ settings, node, runCommand = runPeyk }: StandbyCopyDeps, file: string): PeykProcess {
  const { dataDir } = settings;
  const folder = join(dataDir, "backups", rawFolderName);
  const stop = new AbortController();
  let command: PeykProcess | null = null;
  async function made(): Promise<void> {
    rmSync(folder, { recursive: true, force: true });
    const needed = 2 * statSync(join(dataDir, databaseFileName)).size + spareBytes;
    if (freeBytes(dataDir) < needed) throw new Error(`a copy beside the log of the cluster needs ${needed} bytes`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await node.copyTo(join(folder, databaseFileName), stop.signal);
    stop.signal.throwIfAborted();
    command = runCommand(["backup", "create", file, "--data-dir", folder, "--json"]);
    await command.done;
  }
  return {
    done: made().finally(() => rmSync(folder, { recursive: true, force: true })),
    end() {
      stop.abort();
      command?.end();
    },
  };
}
