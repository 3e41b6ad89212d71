/** Puts a copy in the place of the database of a stopped service, and keeps the database that stood there. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copyContent, createPrivateFile, syncPath } from "../platform/durable-file.ts";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { BackupRefused, refusing } from "./backup.ts";
import { inspectCopy } from "./copy-report.ts";
import { databaseFileName, lockFolder } from "./database.ts";

export interface Restored {
  /** Where the database that stood there rests now; null where there was none. */
  kept: string | null;
}

/**
 * Puts the copy at `file` in the place of the database of `folder`, which is kept beside it. The copy is verified first.
 * Throws DataFolderInUse while the folder is served, BackupUnusable for a bad copy, BackupRefused where the disk refuses.
 */
export function restoreCopy(folder: string, file: string, now: number): Restored {
  inspectAsOwner(folder, file);
  const open = () => refusing(notPlaced, () => openSync(file, "r"));
  const copy = leadsThrough(folder, file) ? asOwnerOf(folder, open) : open();
  try {
    return asOwnerOf(folder, () => replace(folder, copy, now));
  } finally {
    closeSync(copy);
  }
}

const notPlaced = "The copy was not put in place";

/** A copy in the folder is opened with the rights of the folder's owner, as everything there is. */
export function inspectAsOwner(folder: string, file: string) {
  return leadsThrough(folder, file) ? asOwnerOf(folder, () => inspectCopy(file)) : inspectCopy(file);
}

function replace(folder: string, copy: number, now: number): Restored {
  const lock = lockFor(folder);
  const place = join(folder, databaseFileName);
  const incoming = `${place}.restoring`;
  const kept = `${place}.before-restore-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  try {
    return refusing(notPlaced, () => {
      writeWhole(copy, incoming);
      const had = existsSync(place);
      if (had) setAside(place, kept);
      for (const rest of ["-wal", "-shm"]) rmSync(place + rest, { force: true });
      renameSync(incoming, place);
      syncPath(folder);
      return { kept: had ? kept : null };
    });
  } catch (reason) {
    rmSync(incoming, { force: true });
    throw reason;
  } finally {
    lock.close();
  }
}

function lockFor(folder: string): Database {
  try {
    return lockFolder(folder);
  } catch (reason) {
    if (reason instanceof SQLiteError)
      throw new BackupRefused(`${notPlaced}: ${folder} cannot be used`, { cause: reason });
    throw reason;
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

function writeWhole(copy: number, file: string): void {
  rmSync(file, { force: true });
  const target = createPrivateFile(file);
  try {
    copyContent(copy, target);
  } finally {
    closeSync(target);
  }
}
