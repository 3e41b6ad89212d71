/** Replaces the database of a stopped service with a copy, and keeps the old database. */
import { Database, SQLiteError, constants as sqlite } from "bun:sqlite";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { asOwnerOf } from "../platform/folder-owner.ts";
import { openPorted, type PortedSource, takePorted } from "../platform/ported-files.ts";
import { BackupRefused, BackupUnusable, refusing, tellingClosed } from "./backup.ts";
import { type CopyReport, databaseContents, reportOf, unusableOr } from "./copy-report.ts";
import { DataFolderInUse, DataFolderUnusable, databaseFileName, lockFolder } from "./database.ts";
import { adopt } from "./installation.ts";
import { markPathOf, removeMark } from "./log-mark.ts";
import { logEndings, type OpenCopy, openCopy, readDatabase, writePrivate } from "./private-copy.ts";
import { endSessions, RestoreHoldTable, skipInboundPositions } from "./restore-hold.ts";

export interface Restored {
  /** Contents of the database that is now in place. */
  report: CopyReport;
  /** Where the old database is kept; null if there was none. */
  kept: string | null;
  /** Contents of the old database; null if there was none or it is unreadable. */
  replaced: CopyReport["counts"] | null;
}

export interface RestoreOptions {
  /** Epoch milliseconds. */
  now: number;
  /**
   * True: messages waiting in the copy are sent at the next start. False: they wait until the operator releases them.
   */
  release: boolean;
  /** False: every route is switched off, so that a service started from the copy connects to nobody. */
  withRoutes?: boolean;
}

const notPlacedFor = (why: string) => `The copy was not put in place: ${why}.`;

/**
 * Replaces the database of `folder` with the copy at `file` and keeps the old one beside it; creates a missing folder.
 * The copy is verified first. Throws DataFolderInUse while the folder is served, BackupUnusable for a bad copy,
 * BackupRefused if the disk refuses.
 */
export function restoreCopy(folder: string, file: string, options: RestoreOptions): Restored {
  using copy = openCopy(folder, file);
  return restoreOpened(folder, copy, options);
}

/** The same with a copy that was opened before, such as by root, who may open more than the owner of `folder`. */
export function restoreOpened(folder: string, copy: OpenCopy, options: RestoreOptions): Restored {
  const ported = openPorted(dirname(copy.file));
  return tellingClosed(folder, [join(folder, databaseFileName)], () => restoreAsOwner(folder, copy, ported, options));
}

function restoreAsOwner(
  folder: string,
  copy: OpenCopy,
  ported: readonly PortedSource[],
  options: RestoreOptions,
): Restored {
  return asOwnerOf(folder, () => {
    const { lock, made } = taken(folder);
    const incoming = join(folder, `${databaseFileName}.restoring`);
    try {
      refusing(notPlacedFor, () => takePorted(ported, folder));
      return replace(folder, incoming, copy, options);
    } catch (reason) {
      if (made !== undefined) rmSync(made, { recursive: true });
      throw reason;
    } finally {
      for (const rest of ["", "-shm", ...logEndings]) rmSync(incoming + rest, { force: true });
      lock.close();
    }
  });
}

/** `made`: the topmost folder that was created. */
function taken(folder: string): { lock: Database; made: string | undefined } {
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { lock: lockFolder(folder), made };
  } catch (reason) {
    const isTold = reason instanceof DataFolderInUse || reason instanceof DataFolderUnusable;
    if (isTold || (errorCode(reason) === "" && !(reason instanceof SQLiteError))) throw reason;
    throw new BackupRefused(notPlacedFor(`${folder} cannot be used (${fileFailure(reason)})`), { cause: reason });
  }
}

/** At every moment either the old or the new database is in place; only an unreadable one is absent for an instant. */
function replace(folder: string, incoming: string, copy: OpenCopy, options: RestoreOptions): Restored {
  const place = join(folder, databaseFileName);
  const { report, expected } = stage(copy, folder, incoming, options);
  const kept = `${place}.before-restore-${new Date(options.now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  const { had, replaced } = refusing(notPlacedFor, () => {
    syncPath(incoming);
    const aside = setAside(place, kept);
    syncPath(folder);
    renameSync(incoming, place);
    syncPath(folder);
    return aside;
  });
  const found = readDatabase(place, summaryOf);
  if (found !== expected) {
    throw new BackupRefused(`${place} does not hold what ${copy.file} holds: ${found} in place of ${expected}.`);
  }
  return { report, kept: had ? kept : null, replaced };
}

function summaryOf(database: Database): string {
  const { counts, newestMessageAt } = databaseContents(database);
  return JSON.stringify({ ...counts, newestMessageAt });
}

/** Makes the copy the next database of the installation in `folder`. */
function prepare(folder: string, incoming: string, { now, release, withRoutes = true }: RestoreOptions): void {
  const database = new Database(incoming, { readwrite: true, strict: true });
  try {
    adopt(folder, database);
    skipInboundPositions(database);
    endSessions(database);
    if (!withRoutes) database.run("UPDATE route SET enabled = 0");
    const hold = new RestoreHoldTable(database);
    if (release) hold.release();
    else hold.hold(now);
  } finally {
    database.close();
  }
}

/** Writes the copy beside the database, complete and checked: the file that is checked is the one put in place. */
function stage(
  copy: OpenCopy,
  folder: string,
  incoming: string,
  options: RestoreOptions,
): { report: CopyReport; expected: string } {
  try {
    const { sum } = unusableOr(copy.file, () => writePrivate(copy, incoming));
    const staged = unusableOr(copy.file, () =>
      readDatabase(incoming, (database) => ({
        report: reportOf(database, copy, sum),
        expected: summaryOf(database),
      })),
    );
    prepare(folder, incoming, options);
    return staged;
  } catch (reason) {
    if (reason instanceof BackupUnusable) throw reason;
    throw new BackupRefused(notPlacedFor(fileFailure(reason)), { cause: reason });
  }
}

function setAside(place: string, kept: string): { had: boolean; replaced: CopyReport["counts"] | null } {
  const names = ["", ...logEndings];
  if (names.some((ending) => existsSync(kept + ending))) throw new Error(`${kept} is in the way`);
  removeMark(markPathOf(place));
  const replaced = takeInLog(place);
  // An empty log may be removed meanwhile, by a connection of another process that closes.
  const sizeOf = (ending: string) => statSync(place + ending, { throwIfNoEntry: false })?.size;
  const left = names.filter((ending) => (ending === "" ? existsSync(place) : (sizeOf(ending) ?? 0) > 0));
  // Linked under two names until the rename removes one. A database with a log cannot be replaced in one step, because
  // the log would be taken for the new one's. The database is moved first: beside a leftover log, a start never creates
  // a new database.
  if (left.length !== 1 || left[0] !== "" || !linked(place, kept)) {
    for (const ending of left) renameSync(place + ending, kept + ending);
  }
  for (const rest of [...logEndings, "-shm"]) rmSync(place + rest, { force: true });
  return { had: left.length > 0, replaced };
}

/** False if the file system has no hard links. */
function linked(place: string, kept: string): boolean {
  try {
    linkSync(place, kept);
    return true;
  } catch (reason) {
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(reason))) return false;
    throw reason;
  }
}

/**
 * The contents of the database, now in a single file; null if it cannot be opened, in which case it is kept as it is,
 * with its log.
 */
function takeInLog(place: string): CopyReport["counts"] | null {
  if (!existsSync(place)) return null;
  try {
    const database = new Database(place, { readwrite: true, strict: true });
    // Otherwise SQLite removes an unreadable log on close.
    database.fileControl(sqlite.SQLITE_FCNTL_PERSIST_WAL, 1);
    try {
      database.run("PRAGMA wal_checkpoint(TRUNCATE)");
      return databaseContents(database).counts;
    } finally {
      database.close();
    }
  } catch (reason) {
    if (!(reason instanceof SQLiteError)) throw reason;
    return null;
  }
}
