/** What a figure depends on: the machine, its disk, and its other load. */
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import { commitOf } from "../../scripts/build.ts";
import { median, milliseconds, percentile } from "./report.ts";

const syncs = 500;
/** One page of the database. */
const syncedOctets = 4_096;

/** Milliseconds to append a page and sync it, in the folder that the bench uses. */
function fsyncTimes(): number[] {
  const path = join(tmpdir(), `peyk-fsync-${process.pid}`);
  const page = new Uint8Array(syncedOctets).fill(1);
  const file = openSync(path, "w");
  try {
    return Array.from({ length: syncs }, () => {
      const startedAt = performance.now();
      writeSync(file, page);
      fsyncSync(file);
      return performance.now() - startedAt;
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

/** The device and file system of the folder that the bench uses: the longest mount point that leads there. */
function diskOf(folder: string): string {
  const mounts = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, point = "none"]) => point === "/" || folder === point || folder.startsWith(`${point}/`))
    .sort(([, a = ""], [, b = ""]) => b.length - a.length);
  const [device = "unknown", , fileSystem = "unknown"] = mounts[0] ?? [];
  return `${fileSystem} on ${device}`;
}

function distribution(): string {
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
}

const inMs = (ms: number) => (ms < 1 ? `${ms.toFixed(2)} ms` : milliseconds(ms));

/** One line each, for the text above the figures. */
export function machineLines(now: Date): string[] {
  const times = fsyncTimes();
  const commit = commitOf(join(import.meta.dir, "..", ".."))?.hash.slice(0, 12) ?? "a changed tree";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    `${now.toISOString().slice(0, 10)}, Peyk ${version} (${commit}), Bun ${Bun.version}, ${distribution()}, Linux ${release()}`,
    `CPU: ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "unknown"}; memory: ${memory}; load before the run: ${loadavg()[0]?.toFixed(2)}`,
    `Disk: ${diskOf(tmpdir())}; 4 KiB and fsync: ${inMs(median(times))} (median of ${syncs}), p99 ${inMs(percentile(times, 0.99))}`,
  ];
}
