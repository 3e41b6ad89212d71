/** Whether a folder is on a volume that can promise more room than its host has, as Linux tells in /sys. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** `loop`: the volume is a file of another file system. `thin`: its blocks come from a pool that others use as well. */
export type VolumeKind = "loop" | "thin";

const ofAllDevices = "/sys/dev/block";
/** LVM names the pool below a thin volume so. */
const poolEnding = "-tpool";

/** Null for an ordinary disk, and where the device is not known, such as in memory or on btrfs. */
export function volumeKindOf(path: string, device = statSync(path).dev, devices = ofAllDevices): VolumeKind | null {
  const folder = join(devices, `${majorOf(device)}:${minorOf(device)}`);
  return existsSync(folder) ? kindOf(realpathSync(folder)) : null;
}

/** The kernel knows of a write cache that a power cut empties, and flushes it at each sync: the disk must obey. */
export function hasVolatileCache(path: string, device = statSync(path).dev, devices = ofAllDevices): boolean {
  const folder = join(devices, `${majorOf(device)}:${minorOf(device)}`);
  const disk = existsSync(folder) ? realpathSync(folder) : folder;
  return [disk, dirname(disk)]
    .map((one) => join(one, "queue", "write_cache"))
    .some((file) => existsSync(file) && readFileSync(file, "utf8").trim() === "write back");
}

function kindOf(folder: string): VolumeKind | null {
  // A partition's folder is inside its disk's.
  for (const one of [folder, dirname(folder)]) if (existsSync(join(one, "loop", "backing_file"))) return "loop";
  const id = join(folder, "dm", "uuid");
  if (existsSync(id) && readFileSync(id, "utf8").trim().endsWith(poolEnding)) return "thin";
  const below = join(folder, "slaves");
  for (const name of existsSync(below) ? readdirSync(below) : []) {
    const kind = kindOf(realpathSync(join(below, name)));
    if (kind !== null) return kind;
  }
  return null;
}

/** Linux: 12 bits of the major number, between 8 and 12 of the minor one. */
const majorOf = (device: number) => (device >> 8) & 0xfff;
const minorOf = (device: number) => (device & 0xff) | ((device >> 12) & 0xfff00);
