/** Finds the installed service for a command that names none, and gives up root's rights before talking to it. */
import { existsSync, lstatSync } from "node:fs";
import { CommandFailed } from "./errors.ts";

/** The unit's StateDirectory. */
export const serviceDataDir = "/var/lib/peyk";

/**
 * The data folder of the installed service, unless `fallback` has a socket or nothing is installed: so that `peyk status` works
 * from any folder of a machine that runs the service.
 */
export function serviceOr(fallback: string): string {
  if (existsSync(`${fallback}/peyk.sock`)) return fallback;
  return existsSync(serviceDataDir) ? (dataDirOfUnit() ?? serviceDataDir) : fallback;
}

/** The PEYK_DATA_DIR of the unit and its drop-ins; null where systemd does not run or does not know the unit. */
function dataDirOfUnit(): string | null {
  if (!existsSync("/run/systemd/system")) return null;
  const command = ["systemctl", "show", "peyk.service", "--property=Environment", "--value"];
  const shown = Bun.spawnSync(command, { stdout: "pipe", stderr: "ignore", env: { PATH: "/usr/bin:/bin" } });
  return /(?:^|\s)"?PEYK_DATA_DIR=([^\s"]+)/.exec(shown.stdout.toString())?.[1] ?? null;
}

/**
 * Changes root to the owner of `path` for the rest of the process: files that a command writes then belong to the service, and the
 * service's answers are never handled with root's rights. Does nothing for other users, a missing file, and a file of root's. A
 * link at `path` counts as its maker's: it may lead to a socket of root's.
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
