/** Opens the database file: one process, WAL, every commit on disk before it is acknowledged. */
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { Checkpointer, isSyncError, SyncFailed } from "./checkpoint.ts";
import { identify, refuseLostDatabase } from "./installation.ts";
import { LogMark, schemaCookieOf } from "./log-mark.ts";
import { type Migration, migrations as ours } from "./migrations.ts";
import { migrate } from "./migrator.ts";
import { checkAfterUncleanEnd } from "./unclean-end.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** Another process serves this data folder. */
export class DataFolderInUse extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another peyk process. Stop it first, or choose another --data-dir.`);
    this.name = "DataFolderInUse";
  }
}

/** Its lock cannot be taken, and not because another process holds it. */
export class DataFolderUnusable extends Error {
  constructor(folder: string, reason: unknown) {
    const words = `${fileFailure(reason)} (${errorCode(reason)})`;
    super(
      `${join(folder, lockFileName)} cannot be locked: ${words}. It holds nothing: where no peyk runs, move it away.`,
      { cause: reason },
    );
    this.name = "DataFolderUnusable";
  }
}

export const databaseFileName = "peyk.db";
export const lockFileName = "peyk.lock";

/** Negative: KiB. The upper levels of every index stay in memory at ten million messages; the rest is the kernel's to keep. */
const cacheKib = -32 * 1024;

/** Held for the life of the process: SQLite's own file lock, which the kernel drops even at kill -9. */
export function lockFolder(folder: string): Database {
  const lock = new Database(join(folder, lockFileName), { strict: true });
  chmodSync(join(folder, lockFileName), 0o600);
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    // A journal in a file could not be made on a full disk or in a folder that is read-only.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (reason) {
    lock.close();
    throw errorCode(reason) === "SQLITE_BUSY" ? new DataFolderInUse(folder) : new DataFolderUnusable(folder, reason);
  }
  return lock;
}

function connect(path: string): Database {
  const database = new Database(path, { create: true, strict: true });
  // Lets retention give pages back to the disk. Only effective before the first table, and a write wherever it is said.
  if (isEmpty(database)) database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.run("PRAGMA journal_mode = WAL");
  // SQLite's own sync holds the event loop. Synced by a thread of the pool, 256 clients of a disk that takes 5 ms had 23,000
  // messages a second in place of 13,600; but the pool's threads wait for name servers too, and a sync that fails leaves pages
  // that the kernel calls clean: SQLite writes its frames once more, whereas what we had told as stored was lost at a power cut.
  database.run("PRAGMA synchronous = FULL");
  // What is deleted is overwritten: who asks to be erased must not stay readable in free pages.
  database.run("PRAGMA secure_delete = ON");
  database.run("PRAGMA foreign_keys = ON");
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA temp_store = MEMORY");
  database.run(`PRAGMA cache_size = ${cacheKib}`);
  // Automatic checkpoints hide their errors; GroupCommit asks for them (see checkpoint.ts).
  database.run("PRAGMA wal_autocheckpoint = 0");
  return database;
}

function isEmpty(database: Database): boolean {
  return database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count === 0;
}

export interface OpenDatabase {
  database: Database;
  log: WriteAheadLog;
  path: string;
  close(): void;
}

export function openDatabase(
  folder: string,
  now: number,
  known: readonly Migration[] = ours,
  applying?: (migration: Migration) => void,
): OpenDatabase {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  const path = join(folder, databaseFileName);
  let mark: LogMark | null = null;
  try {
    refuseLostDatabase(folder, databaseFileName);
    checkAfterUncleanEnd(path);
    const schema = schemaCookieOf(path);
    mark = new LogMark(path);
    const database = connect(path);
    chmodSync(path, 0o600);
    const applied = migrate(database, {
      known,
      now,
      snapshot: (first) => keepBefore(database, copyBefore(folder, first)),
      hasSnapshot: (first) => existsSync(copyBefore(folder, first)),
      ...(applying !== undefined && { applying }),
    });
    identify(folder, database);
    mark.schema = applied > 0 && schema > 0 ? schemaInFile(database, folder, schema) : schema;
    const log = new WriteAheadLog(database, path, mark);
    return { database, log, path, close: () => closeDatabase(database, log, lock) };
  } catch (reason) {
    lock.close();
    const failure = isSyncError(reason) ? new SyncFailed(reason) : reason;
    if (failure instanceof SyncFailed) mark?.keep();
    throw failure;
  }
}

function closeDatabase(database: Database, log: WriteAheadLog, lock: Database): void {
  log.end();
  database.close();
  log.close();
  lock.close();
}

/** Brings what migrations wrote into the file: its cookie tells it from the one that an upgrade's way back puts in its place. */
function schemaInFile(database: Database, folder: string, before: number): number {
  using checkpointer = new Checkpointer(database, folder);
  if (checkpointer.run(true) !== "complete") return before;
  return database.query<{ schema_version: number }, []>("PRAGMA schema_version").get()?.schema_version ?? before;
}

const copyBefore = (folder: string, migration: number) => join(folder, `before-migration-${migration}.db`);

/** The way back from a migration that went wrong, whole on the disk before it begins. */
function keepBefore(database: Database, copy: string): void {
  const incoming = `${copy}.new`;
  // One of the same name is of a try that came to nothing, or was undone since: two would fill the disk.
  for (const rest of [copy, incoming, `${incoming}-journal`]) rmSync(rest, { force: true });
  database.run("VACUUM INTO ?", [incoming]);
  chmodSync(incoming, 0o600);
  syncPath(incoming);
  renameSync(incoming, copy);
  syncPath(dirname(copy));
}
