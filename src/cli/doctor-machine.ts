/** The doctor's checks of the machine: clock, disk, fsync, write-ahead log, limits, JIT. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { diskFinding, walFinding } from "../operator/doctor.ts";
import { bad, type Finding, note, ok, warn } from "../operator/finding.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { asOwnerOf } from "../platform/folder-owner.ts";
import { hasJit } from "../platform/jit.ts";
import { volumeKindOf } from "../platform/volume-kind.ts";
import { outputOf, properties } from "./program-output.ts";

const fsyncTries = 20;
const openFilesMin = 4096;
const stepMsMax = 20;

/** Checks that need no running service. `pid`: the service's process, where it is known. */
export async function machineFindings(dataDir: string, pid: number | null): Promise<Finding[]> {
  return [
    await clockFinding(),
    await ntpFinding(),
    ...folderFindings(dataDir),
    await limitFinding(pid),
    hasJit()
      ? ok("jit", "The engine compiles to machine code")
      : warn(
          "jit",
          "the engine's compiler is off: everything runs some 15 times slower",
          "take MemoryDenyWriteExecute= and LimitAS= out of the unit, and BUN_JSC_useJIT out of the environment",
        ),
  ];
}

/** Compares wall and monotonic clock over a quarter of a second: they diverge while the wall clock is being stepped. */
async function clockFinding(): Promise<Finding> {
  const wall = Date.now();
  const steady = performance.now();
  await Bun.sleep(250);
  const stepMs = Math.round(Math.abs(Date.now() - wall - (performance.now() - steady)));
  if (stepMs <= stepMsMax) return ok("clock", `${new Date().toISOString()}; wall and monotonic clock agree`);
  return warn(
    "clock",
    `the wall clock jumped by ${stepMs} ms while it was watched`,
    "let one service set it: timedatectl set-ntp true",
  );
}

async function ntpFinding(): Promise<Finding> {
  const text = await outputOf(["timedatectl", "show"]);
  if (text === null) return note("ntp", "Not known whether the clock is synchronised (no systemd)");
  if (properties(text).get("NTPSynchronized") === "yes") return ok("ntp", "The clock is synchronised");
  return warn(
    "ntp",
    "the clock is not synchronised: scheduled messages and signatures drift with it",
    "timedatectl set-ntp true",
  );
}

function folderFindings(dataDir: string): Finding[] {
  if (!existsSync(dataDir)) {
    return [
      bad("data folder", `${dataDir} does not exist`, "give --data-dir DIR, or start the service once: peyk serve"),
    ];
  }
  return [
    modeFinding(dataDir),
    diskFinding(dataDir),
    ...volumeFindings(dataDir),
    asOwnerOf(dataDir, () => fsyncFinding(dataDir)),
    walFinding(dataDir),
  ];
}

function modeFinding(dataDir: string): Finding {
  const others = statSync(dataDir).mode & 0o077;
  if (others === 0) return ok("data folder", `${dataDir}, readable by its owner only`);
  return warn("data folder", `Other users may read ${dataDir}`, `chmod 700 ${dataDir}`);
}

/**
 * Peyk reads back what a full host could have dropped of new blocks. Where the host copies blocks before it changes them,
 * as for a snapshot, old ones may be dropped as well.
 */
function volumeFindings(dataDir: string): Finding[] {
  switch (volumeKindOf(dataDir)) {
    case "loop":
      return [
        warn(
          "volume",
          "the data folder is on a loop device: one whose file gets no more room may report writes as done that it dropped",
          "watch the free space where that file is, or use a disk of its own",
        ),
      ];
    case "thin":
      return [
        warn(
          "volume",
          "the data folder is on a thin pool: its volumes may promise more room than the pool has",
          "watch the free space of the pool (lvs), or use a volume with room of its own",
        ),
      ];
    case null:
      return [];
  }
}

/** Writes and removes a file of its own; the database is not touched. */
function fsyncFinding(dataDir: string): Finding {
  const path = join(dataDir, `.doctor-${process.pid}`);
  const times: number[] = [];
  try {
    const file = openSync(path, "wx", 0o600);
    for (let round = 0; round < fsyncTries; round += 1) {
      writeSync(file, new Uint8Array(4096), 0, 4096, round * 4096);
      const startedAt = performance.now();
      fsyncSync(file);
      times.push(performance.now() - startedAt);
    }
    closeSync(file);
  } catch (reason) {
    const todo =
      errorCode(reason) === "ENOSPC" ? "free some space" : "run this as the owner of the folder, or repair the disk";
    return bad("fsync", `${dataDir} cannot be written: ${fileFailure(reason)}`, todo);
  } finally {
    rmSync(path, { force: true });
  }
  const slow = times.toSorted((a, b) => a - b).at(Math.floor(fsyncTries * 0.9)) ?? 0;
  const says = `${slow.toFixed(2)} ms at the 90th percentile`;
  if (slow < 20) return ok("fsync", says);
  return warn("fsync", `${says}: every accepted request waits for an fsync`, "put the data folder on a faster disk");
}

async function limitFinding(pid: number | null): Promise<Finding> {
  const path = `/proc/${pid ?? "self"}/limits`;
  const text = existsSync(path) ? await Bun.file(path).text() : "";
  const soft = Number(/Max open files\s+(\d+)/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(soft)) return note("open files", "The limit is not known here");
  if (soft >= openFilesMin) return ok("open files", `Up to ${soft}`);
  return warn(
    "open files",
    `only ${soft}: each connection takes one`,
    "LimitNOFILE=65536 in the unit, or ulimit -n 65536",
  );
}
