/** Reads a copy of the database as it is: with any log beside it and the checksum at its end. */
import { Database, constants as sqlite } from "bun:sqlite";
import { closeSync, fstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { copyContent, createPrivateFile, openRegularFile } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { BackupUnusable, refuseWithoutSpace, tellingClosed } from "./backup.ts";
import { checkSum, type SumState } from "./copy-sum.ts";

/** Files SQLite keeps beside a database that was not closed: they may hold the only copy of some data. */
export const logEndings = ["-wal", "-journal"];

export interface OpenCopy extends Disposable {
  /** Its path, for messages. */
  file: string;
  descriptor: number;
  /** The non-empty logs, by file name suffix. */
  logs: ReadonlyMap<string, number>;
  bytes: number;
}

/**
 * Opens a copy; one in `folder` is opened with the rights of the folder's owner. Throws BackupUnusable if there is
 * none.
 */
export function openCopy(folder: string, file: string): OpenCopy {
  if (!leadsThrough(folder, file)) return open(file);
  return tellingClosed(folder, [file], () => asOwnerOf(folder, () => open(file)));
}

/** The error for a copy that the system does not allow us to read. */
export function unreadable(file: string, reason: unknown): BackupUnusable {
  const problem = { code: "copy_unreadable", values: { file, reason: fileFailure(reason) } } as const;
  return new BackupUnusable(problem, { cause: reason });
}

function open(file: string): OpenCopy {
  using opened = new DisposableStack();
  const descriptorOf = (path: string) => {
    const descriptor = opened.adopt(openRegularFile(path), closeSync);
    return { descriptor, bytes: fstatSync(descriptor).size };
  };
  try {
    const { descriptor, bytes } = descriptorOf(file);
    const logs = new Map<string, number>();
    for (const ending of logEndings) {
      const log = orNull(() => descriptorOf(file + ending));
      if (log !== null && log.bytes > 0) logs.set(ending, log.descriptor);
    }
    const held = opened.move();
    return { file, descriptor, logs, bytes, [Symbol.dispose]: () => held.dispose() };
  } catch (reason) {
    if (errorCode(reason) === "ENOENT") throw new BackupUnusable({ code: "copy_absent", values: { file } });
    throw unreadable(file, reason);
  }
}

function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (reason) {
    if (errorCode(reason) === "ENOENT") return null;
    throw reason;
  }
}

/**
 * Writes the contents of `copy` to `path` as one file: the log is merged, and the checksum is verified and dropped.
 * Throws SQLite's errors.
 */
export function writePrivate(copy: OpenCopy, path: string): SumState {
  const state = checkSum(copy.descriptor);
  write(copy.descriptor, path, state.contentBytes);
  for (const [ending, log] of copy.logs) write(log, path + ending, fstatSync(log).size);
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
  return state;
}

function write(from: number, path: string, bytes: number): void {
  rmSync(path, { force: true });
  const to = createPrivateFile(path);
  try {
    copyContent(from, to, bytes);
  } finally {
    closeSync(to);
  }
}

/** Opens the database in `copy` for reading, including its log, without touching its folder. Throws SQLite's errors. */
export function readCopy<T>(copy: OpenCopy, read: (database: Database, state: SumState) => T): T {
  if (copy.logs.size === 0) {
    const state = checkSum(copy.descriptor);
    return readDatabase(copy.file, (database) => read(database, state));
  }
  const folder = mkdtempSync(join(tmpdir(), "peyk-copy-"));
  try {
    refuseWithoutSpace(copy.bytes, folder);
    const path = join(folder, basename(copy.file));
    const state = writePrivate(copy, path);
    return readDatabase(path, (database) => read(database, state));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a database that nobody is writing; creates no files beside it. */
export function readDatabase<T>(path: string, read: (database: Database) => T): T {
  const name = encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23");
  // Immutable: SQLite creates no log beside it.
  const flags = sqlite.SQLITE_OPEN_READONLY | sqlite.SQLITE_OPEN_URI;
  const database = new Database(`file:${name}?immutable=1`, flags);
  try {
    return read(database);
  } finally {
    database.close();
  }
}
