/** Explains a failed start in a sentence that says what to do. */
import { damagedCode } from "../platform/damage-watch.ts";
import { freeBytes } from "../platform/disk-space.ts";
import { errorCode } from "../platform/error-code.ts";
import { CannotListen, listenFailure } from "../platform/listen-error.ts";
import { backupsNewestFirst } from "../platform/rotating-backup.ts";
import { CommandFailed } from "./errors.ts";

/** Errors whose own message is written for the operator. */
const codeByErrorName: Readonly<Record<string, string>> = {
  DataFolderInUse: "data_folder_in_use",
  DataFolderUnusable: "data_folder_unusable",
  DatabaseMissing: "database_missing",
  FolderOfCluster: "cluster_node",
  ClusterRefused: "cluster_refused",
  EntryUnreadable: "cluster_refused",
  EngineUnavailable: "cluster_engine",
  DatabaseTaken: "cluster_engine",
  CurrencyChanged: "currency_changed",
  MigrationRefused: "migration_refused",
  KeyFileError: "key_file",
  SocketTaken: "socket_taken",
  StoreUnavailable: "store_unavailable",
  LogDamaged: "store_damaged",
  DiskUnreadable: "store_unavailable",
  SyncFailed: "store_unavailable",
  CertificateFileUnusable: "settings_invalid",
  CertificateUnusable: "settings_invalid",
  LogoFileUnusable: "settings_invalid",
  InvalidTrustedDestination: "settings_invalid",
  InvalidAddressRange: "settings_invalid",
};

/** SQLite grows its files in smaller steps than this. */
const freeBytesMin = 1024 * 1024;

const changeOwner = "Change its owner to the user that runs Peyk, or choose another path.";

const sentenceByErrno: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `Peyk may not use ${path}. ${changeOwner}`,
  EPERM: (path) => `Peyk may not use ${path}. ${changeOwner}`,
  ENOENT: (path) => `${path} cannot be created. Choose another --data-dir.`,
  EROFS: (path) => `${path} is on a read-only file system. Choose another --data-dir.`,
  ENOSPC: (path) => `There is no disk space left for ${path}. Free some and start again.`,
  ENOTDIR: (path) => `${path} is not a folder. Choose another --data-dir.`,
  EEXIST: (path) => `${path} is in the way. Choose another --data-dir.`,
};

/** A CommandFailed for an error that an operator can correct; any other error is a defect and returned unchanged. */
export function explainStartError(thrown: unknown, dataDir: string, listen: string): unknown {
  // The cause's message says what to do; the outer one only that the store cannot write.
  const reason = thrown instanceof Error && thrown.name === "StoreUnavailable" ? (thrown.cause ?? thrown) : thrown;
  if (!(reason instanceof Error)) return reason;
  const code = reason instanceof CannotListen ? reason.listener : codeByErrorName[reason.name];
  if (code !== undefined) return new CommandFailed(code, reason.message);
  if (reason.name === "PostgresError")
    return new CommandFailed("cluster_engine", `PostgreSQL refuses: ${reason.message}.`);
  const errno = errorCode(reason);
  if (/^SQLITE_(CANTOPEN|READONLY)/.test(errno)) {
    return new CommandFailed(
      "store_unavailable",
      `Peyk may not open or write its database in ${dataDir}. ${changeOwner}`,
    );
  }
  // SQLite reports a full disk as an I/O error when it grows its shared memory.
  if (errno === "SQLITE_FULL" || (errno.startsWith("SQLITE_IOERR") && freeBytes(dataDir) < freeBytesMin)) {
    return new CommandFailed(
      "store_unavailable",
      `There is no disk space left in ${dataDir}. Free some and start again.`,
    );
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(errno))
    return new CommandFailed(damagedCode, damagedWords(reason, errno, dataDir));
  if (errno.startsWith("SQLITE_")) {
    return new CommandFailed(
      "store_unavailable",
      `The database in ${dataDir} cannot be opened: ${reason.message} (${errno}).`,
    );
  }
  const path = "path" in reason ? String(reason.path) : dataDir;
  const sentence = listenFailure(reason, listen, "--listen") ?? sentenceByErrno[errno]?.(path);
  return sentence === undefined ? reason : new CommandFailed(errno.toLowerCase(), sentence);
}

function damagedWords(reason: Error, errno: string, dataDir: string): string {
  const [copy = "FILE"] = backupsNewestFirst(dataDir);
  return [
    `The database in ${dataDir} is damaged: ${reason.message} (${errno}). Peyk does not serve from it.`,
    `Is the newest copy whole:  peyk backup verify ${copy}`,
    `Bring it back:             peyk backup restore ${copy}`,
  ].join("\n");
}

/**
 * Runs `work`, which opens the database in `dataDir`: errors that an operator can correct are reported as for a failed
 * start.
 */
export async function withStartErrors<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    throw explainStartError(reason, dataDir, "");
  }
}
