/** Finds the installed service for a command that names none, and drops root privileges before talking to it. */
import { existsSync, lstatSync } from "node:fs";
import { CommandFailed } from "./errors.ts";

/** The unit's StateDirectory. */
export const serviceDataDir = "/var/lib/peyk";

/**
 * The installed service's data folder, unless `fallback` has a socket or nothing is installed: `peyk status` then works
 * from any folder on a machine that runs the service.
 */
export function serviceOr(fallback: string): string {
  if (existsSync(`${fallback}/peyk.sock`)) return fallback;
  return existsSync(serviceDataDir) ? (dataDirOfUnit() ?? serviceDataDir) : fallback;
}

/** PEYK_DATA_DIR from the unit and its drop-ins; null where systemd is not running or does not know the unit. */
function dataDirOfUnit(): string | null {
  if (!existsSync("/run/systemd/system")) return null;
  const command = ["systemctl", "show", "peyk.service", "--property=Environment", "--value"];
  const shown = Bun.spawnSync(command, { stdout: "pipe", stderr: "ignore", env: { PATH: "/usr/bin:/bin" } });
  return /(?:^|\s)"?PEYK_DATA_DIR=([^\s"]+)/.exec(shown.stdout.toString())?.[1] ?? null;
}

/**
 * Changes root to the owner of `path` for the rest of the process, so that files written by a command belong to the
 * service, and the service's answers are never handled as root. Does nothing for other users, a missing file, and a
 * file owned by root. A link at `path` counts as owned by its creator: it may point to one of root's sockets.
 */
export function becomeOwnerOf(path: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = lstatSync(path, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  if (process.setgroups === undefined || process.setgid === undefined || process.setuid === undefined) {
    throw new CommandFailed("no_access", `This system cannot change to the owner of ${path}.`);
  }
  process.setgroups([owner.gid]);
  process.setgid(owner.gid);
  process.setuid(owner.uid);
}
