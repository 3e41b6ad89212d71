/** Opens the database file: one process, WAL, every commit on disk before it is acknowledged. */
import { Database } from "bun:sqlite";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath } from "../platform/durable-file.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { files } from "../platform/files.ts";
import { type Random, systemRandom } from "../platform/random.ts";
import { Checkpointer, isSyncError, SyncFailed } from "./checkpoint.ts";
import { FileGrowth } from "./file-growth.ts";
import { identify, refuseLostDatabase } from "./installation.ts";
import { LogMark, schemaCookieOf } from "./log-mark.ts";
import { type Migration, migrations as ours } from "./migrations.ts";
import { migrate } from "./migrator.ts";
import { PlannedConnection } from "./planned-connection.ts";
import { holdsSealed } from "./sealed-samples.ts";
import { checkAfterUncleanEnd } from "./unclean-end.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** Another process serves this data folder. */
export class DataFolderInUse extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another peyk process. Stop it first, or choose another --data-dir.`);
    this.name = "DataFolderInUse";
  }
}

/** The folder belongs to a node of a cluster: anything written to it alone would make it diverge from the others. */
export class FolderOfCluster extends Error {
  override readonly name = "FolderOfCluster";

  constructor(folder: string, words?: string) {
    super(
      words ??
        `The data folder ${folder} is a node's of a cluster, and nothing else may write there. Set cluster.node and cluster.engine_file ` +
          "to go on in the cluster, or take the folder out of it: peyk cluster leave",
    );
  }
}

/** True if a following node writes the folder's file: SQLite must not read it while that node writes. */
export function isFollowed(folder: string): boolean {
  const path = join(folder, memberFileName);
  return existsSync(path) && readFileSync(path, "utf8").includes('"hasLed":false');
}

export const followsSentence = (folder: string): string =>
  `The node of ${folder} follows: its database cannot be read beside what is written to it. Ask the node that leads.`;

/** The lock cannot be taken, for a reason other than another process holding it. */
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
/** Exists only in the folder of a cluster node. */
export const memberFileName = "peyk.cluster";

/**
 * Negative: KiB. Keeps the upper levels of every index in memory at ten million messages; the rest is left to the
 * kernel's cache. With 32 MiB, memory at rest was 27 MB higher, and a message accepted beside three million stored ones
 * took no less processor time.
 */
const cacheKib = -8 * 1024;

/** Held for the life of the process: SQLite's own file lock, which the kernel releases even on kill -9. */
export function lockFolder(folder: string, isOfCluster = false): Database {
  if (!isOfCluster && existsSync(join(folder, memberFileName))) throw new FolderOfCluster(folder);
  const lock = new Database(join(folder, lockFileName), { strict: true });
  chmodSync(join(folder, lockFileName), 0o600);
  try {
    lock.run("PRAGMA locking_mode = EXCLUSIVE");
    // A journal file could not be created on a full disk or in a read-only folder.
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
  } catch (reason) {
    lock.close();
    throw errorCode(reason) === "SQLITE_BUSY" ? new DataFolderInUse(folder) : new DataFolderUnusable(folder, reason);
  }
  return lock;
}

/** How the file is kept when it is not the only copy. */
export interface DatabaseKeeping {
  /**
   * Every commit is kept elsewhere before it is acknowledged, so commits do not wait for this disk and its log is not
   * checked.
   */
  isReplicated: boolean;
}

function connect(path: string, { isReplicated }: DatabaseKeeping): Database {
  const database = new PlannedConnection(path, { create: true, strict: true });
  // Lets retention return pages to the disk. Only effective before the first table is created, and always a write.
  if (isEmpty(database)) database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.run("PRAGMA journal_mode = WAL");
  // SQLite's own sync blocks the event loop. With a pool thread syncing, 256 clients on a disk that takes 5 ms reached
  // 23,000 messages a second instead of 13,600. But pool threads also wait for DNS, and a failed sync leaves pages that
  // the kernel calls clean: SQLite writes its frames again, whereas a message we had reported as stored was lost in a
  // power cut.
  database.run(`PRAGMA synchronous = ${isReplicated ? "NORMAL" : "FULL"}`);
  // Overwrites deleted data: an erased recipient must not stay readable in free pages.
  database.run("PRAGMA secure_delete = ON");
  database.run("PRAGMA foreign_keys = ON");
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA temp_store = MEMORY");
  database.run(`PRAGMA cache_size = ${cacheKib}`);
  // Automatic checkpoints hide their errors; GroupCommit runs them explicitly (see checkpoint.ts).
  database.run("PRAGMA wal_autocheckpoint = 0");
  return database;
}

function isEmpty(database: Database): boolean {
  return database.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count === 0;
}

/**
 * Called before each step of an upgrade: at ten million messages some take half a minute. Refuses the upgrade by
 * throwing, the first time before anything is changed. `holdsSealed`: see Store.
 */
export type ApplyMigration = (migration: Migration, holdsSealed: () => boolean) => void;

export interface OpenDatabase {
  database: Database;
  /** Null if this node's log is not the authoritative one. */
  log: WriteAheadLog | null;
  growth: FileGrowth;
  path: string;
  close(): void;
}

export function openDatabase(
  folder: string,
  now: number,
  known: readonly Migration[] = ours,
  applying?: ApplyMigration,
  random: Pick<Random, "uuid"> = systemRandom,
  keeping: DatabaseKeeping = { isReplicated: false },
): OpenDatabase {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder, keeping.isReplicated);
  const path = join(folder, databaseFileName);
  let mark: LogMark | null = null;
  try {
    refuseLostDatabase(folder, databaseFileName);
    const blank = checkAfterUncleanEnd(path);
    const growth = new FileGrowth(path, statSync(path, { throwIfNoEntry: false })?.size ?? 0, blank);
    const schema = schemaCookieOf(path);
    mark = keeping.isReplicated ? null : new LogMark(path);
    const database = connect(path, keeping);
    chmodSync(path, 0o600);
    const applied = migrate(database, {
      known,
      now,
      snapshot: (first) => keepBefore(database, copyBefore(folder, first)),
      hasSnapshot: (first) => existsSync(copyBefore(folder, first)),
      ...(applying !== undefined && { applying: (migration) => applying(migration, () => holdsSealed(database)) }),
    });
    identify(folder, database, random);
    if (mark !== null)
      mark.schema = applied > 0 && schema > 0 ? schemaInFile(database, folder, schema, growth) : schema;
    const log = mark === null ? null : new WriteAheadLog(database, path, mark);
    return { database, log, growth, path, close: () => closeDatabase(database, log, growth, lock) };
  } catch (reason) {
    lock.close();
    const failure = isSyncError(reason) ? new SyncFailed(reason) : reason;
    if (failure instanceof SyncFailed) mark?.keep();
    throw failure;
  }
}

function closeDatabase(database: Database, log: WriteAheadLog | null, growth: FileGrowth, lock: Database): void {
  log?.end();
  database.close();
  growth.close();
  log?.close();
  lock.close();
}

/**
 * Brings the migrations' writes into the file: its schema cookie distinguishes it from the copy that an upgrade rolls
 * back to.
 */
function schemaInFile(database: Database, folder: string, before: number, growth: FileGrowth): number {
  using checkpointer = new Checkpointer(database, folder, growth);
  if (checkpointer.run(true) !== "complete") return before;
  return database.query<{ schema_version: number }, []>("PRAGMA schema_version").get()?.schema_version ?? before;
}

const copyBefore = (folder: string, migration: number) => join(folder, `before-migration-${migration}.db`);

/** The copy to go back to if a migration fails, fully on disk before the migration starts. */
function keepBefore(database: Database, copy: string): void {
  const incoming = `${copy}.new`;
  // A file of the same name is from an attempt that failed or was undone: two copies would fill the disk.
  for (const rest of [copy, incoming, `${incoming}-journal`]) files.remove(rest);
  database.run("VACUUM INTO ?", [incoming]);
  chmodSync(incoming, 0o600);
  syncPath(incoming);
  files.rename(incoming, copy);
  syncPath(dirname(copy));
}
