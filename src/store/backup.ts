/** Copies of the database: made while it is served, opened and judged, and put back in its place. */
import { Database, SQLiteError } from "bun:sqlite";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { freeBytes } from "../platform/disk-space.ts";
import { errorCode } from "../platform/error-code.ts";
import { inspectCopy } from "./copy-report.ts";
import { databaseFileName, lockFileName, lockFolder } from "./database.ts";

/** A copy cannot be made, or be put in place; the words say why, and nothing was changed. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** Left free beside a copy: a backup must not fill the disk of the service. */
const spareBytes = 64 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

export interface MadeCopy {
  bytes: number;
  durationMs: number;
}

/**
 * Copies the database of `folder` to `file`, as it stood at one moment. It reads alone: another process may serve the folder
 * meanwhile. Blocks its thread for as long as it takes, so never on one that serves. Throws BackupRefused.
 */
export function copyDatabase(folder: string, file: string): MadeCopy {
  const source = join(folder, databaseFileName);
  if (!existsSync(source)) throw new BackupRefused(`There is no database in ${folder}.`);
  if (existsSync(file)) throw new BackupRefused(`${file} exists already. Choose another name, or move it away.`);
  const startedAt = performance.now();
  const partial = `${file}.partial`;
  refuseWithoutSpace(source, dirname(file));
  reserve(partial, file);
  try {
    const database = new Database(source, { readonly: true, strict: true });
    try {
      database.run("PRAGMA busy_timeout = 5000");
      database.run("VACUUM INTO ?", [partial]);
    } finally {
      database.close();
      leaveToOwner(folder);
    }
    if (isWithin(folder, dirname(file))) giveToOwnerOf(folder, partial);
    sync(partial);
    renameSync(partial, file);
    sync(dirname(file));
  } catch (reason) {
    rmSync(partial, { force: true });
    throw new BackupRefused(`No copy was made at ${file}: ${wordsOf(reason)}.`, { cause: reason });
  }
  return { bytes: statSync(file).size, durationMs: performance.now() - startedAt };
}

/** It holds what the database holds, so nobody else may ever read it, not even while it is being written. */
function reserve(partial: string, file: string): void {
  try {
    closeSync(openSync(partial, "wx", 0o600));
  } catch (reason) {
    const words =
      errorCode(reason) === "EEXIST"
        ? `${partial} is in the way. Another copy is being made; if none is, one was broken off: remove it`
        : wordsOf(reason);
    throw new BackupRefused(`No copy was made at ${file}: ${words}.`, { cause: reason });
  }
}

function refuseWithoutSpace(source: string, folder: string): void {
  const wanted = statSync(source).size + spareBytes;
  let free: number;
  try {
    free = freeBytes(folder);
  } catch (reason) {
    throw new BackupRefused(`The folder ${folder} cannot take a copy: ${wordsOf(reason)}.`, { cause: reason });
  }
  if (free < wanted) {
    const inMib = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
    throw new BackupRefused(
      `${folder} has ${inMib(free)} left, and a copy may need ${inMib(wanted)}. Free some space first.`,
    );
  }
}

export interface Restored {
  /** Where the database that stood there rests now; null where there was none. */
  kept: string | null;
}

/**
 * Puts the copy at `file` in the place of the database of `folder`, which is kept beside it. The copy is verified first.
 * Throws DataFolderInUse while the folder is served, BackupUnusable for a bad copy, BackupRefused where the disk refuses.
 */
export function restoreCopy(folder: string, file: string, now: number): Restored {
  const lock = lockFolder(folder);
  try {
    inspectCopy(file);
    const place = join(folder, databaseFileName);
    const incoming = `${place}.restoring`;
    const kept = `${place}.before-restore-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
    try {
      copyWhole(file, incoming);
      const had = existsSync(place);
      if (had) setAside(place, kept);
      for (const rest of ["-wal", "-shm"]) rmSync(place + rest, { force: true });
      leaveToOwner(folder);
      renameSync(incoming, place);
      sync(folder);
      return { kept: had ? kept : null };
    } catch (reason) {
      rmSync(incoming, { force: true });
      throw new BackupRefused(`The copy was not put in place: ${wordsOf(reason)}.`, { cause: reason });
    }
  } finally {
    lock.close();
  }
}

/** The log goes with its database, under a name that SQLite finds again: what it holds may be in no other place. */
function setAside(place: string, kept: string): void {
  if (existsSync(kept)) throw new Error(`${kept} is in the way`);
  takeInLog(place);
  // The log first: a database without it is whole up to its last checkpoint, a log without its database is nothing.
  for (const rest of ["-wal", "-shm"]) if (existsSync(place + rest)) renameSync(place + rest, kept + rest);
  renameSync(place, kept);
}

/** What cannot be opened any more is kept as it is, log and all. */
function takeInLog(place: string): void {
  try {
    const database = new Database(place, { strict: true });
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  } catch (reason) {
    if (!(reason instanceof SQLiteError)) throw reason;
  }
}

/** Run as root, nothing that SQLite or we made in the folder may stay root's: the service could not open its own database. */
function leaveToOwner(folder: string): void {
  const ofDatabase = ["", "-wal", "-shm", ".restoring"].map((ending) => databaseFileName + ending);
  for (const name of [...ofDatabase, lockFileName]) {
    if (existsSync(join(folder, name))) giveToOwnerOf(folder, join(folder, name));
  }
}

function giveToOwnerOf(folder: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  chownSync(file, uid, gid);
}

function isWithin(folder: string, place: string): boolean {
  return `${realpathSync(place)}/`.startsWith(`${realpathSync(folder)}/`);
}

function copyWhole(from: string, to: string): void {
  rmSync(to, { force: true });
  const source = openSync(from, "r");
  const target = openSync(to, "wx", 0o600);
  try {
    const chunk = new Uint8Array(chunkBytes);
    for (let read = readSync(source, chunk); read > 0; read = readSync(source, chunk))
      writeSync(target, chunk, 0, read);
    fsyncSync(target);
  } finally {
    closeSync(source);
    closeSync(target);
  }
  chmodSync(to, 0o600);
}

function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
