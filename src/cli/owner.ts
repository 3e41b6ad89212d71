/** Which appliance a command means when nobody says it, and whose rights are enough to talk to it. */
import { existsSync, statSync } from "node:fs";
import { CommandFailed } from "./errors.ts";

/** Where the unit keeps everything (StateDirectory). */
export const serviceDataDir = "/var/lib/peyk";

/**
 * The data folder of the installed service, where there is one and no appliance lives in `fallback`: so that `peyk status` works
 * from any folder of a machine that runs the service.
 */
export function serviceOr(fallback: string): string {
  if (existsSync(`${fallback}/peyk.sock`)) return fallback;
  return existsSync(serviceDataDir) ? (dataDirOfUnit() ?? serviceDataDir) : fallback;
}

/** What the unit says with its drop-ins; null where systemd does not run or knows no such unit. */
function dataDirOfUnit(): string | null {
  if (!existsSync("/run/systemd/system")) return null;
  const command = ["systemctl", "show", "peyk.service", "--property=Environment", "--value"];
  const asked = Bun.spawnSync(command, { stdout: "pipe", stderr: "ignore", env: { PATH: "/usr/bin:/bin" } });
  return /(?:^|\s)"?PEYK_DATA_DIR=([^\s"]+)/.exec(asked.stdout.toString())?.[1] ?? null;
}

/**
 * Root becomes the owner of `path` for the rest of the process, so that what a command writes belongs to the service, and what the
 * service answers is never read with root's rights. Does nothing for other users, where there is no such file, and where it is root's.
 */
export function becomeOwnerOf(path: string): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(path, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  if (process.setgroups === undefined || process.setgid === undefined || process.setuid === undefined) {
    throw new CommandFailed("no_access", `This system cannot change to the owner of ${path}.`);
  }
  process.setgroups([owner.gid]);
  process.setgid(owner.gid);
  process.setuid(owner.uid);
}
