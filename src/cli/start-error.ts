/** Why the appliance could not start, in a sentence that says what to do. */
import { errorCode } from "../platform/error-code.ts";
import { listenFailure } from "../platform/listen-error.ts";
import { CommandFailed } from "./errors.ts";

/** Errors whose own words are made for the operator. */
const spokenFor: Readonly<Record<string, string>> = {
  DataFolderInUse: "data_folder_in_use",
  MigrationRefused: "migration_refused",
  KeyFileError: "key_file",
  SocketTaken: "socket_taken",
  StoreUnavailable: "store_unavailable",
  CertificateFileUnusable: "settings_invalid",
  CertificateUnusable: "settings_invalid",
  ConsoleCannotListen: "console_listen",
  InvalidTrustedDestination: "settings_invalid",
  InvalidAddressRange: "settings_invalid",
};

const giveIt = "Give it to the user that runs Peyk, or choose another place.";

const sentenceByErrno: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `Peyk may not use ${path}. ${giveIt}`,
  EPERM: (path) => `Peyk may not use ${path}. ${giveIt}`,
  ENOENT: (path) => `${path} cannot be made there. Choose another --data-dir.`,
  EROFS: (path) => `${path} is on a file system that cannot be written. Choose another --data-dir.`,
  ENOSPC: (path) => `There is no room left for ${path}. Free some space and start again.`,
  ENOTDIR: (path) => `${path} is no folder. Choose another --data-dir.`,
  EEXIST: (path) => `${path} is in the way. Choose another --data-dir.`,
};

/** A CommandFailed for what an operator can mend; anything else as it was: a defect, to be seen whole. */
export function explainStartError(reason: unknown, dataDir: string, listen: string): unknown {
  if (!(reason instanceof Error)) return reason;
  const code = spokenFor[reason.name];
  if (code !== undefined) return new CommandFailed(code, reason.message);
  const errno = errorCode(reason);
  if (errno === "SQLITE_CANTOPEN" || errno === "SQLITE_READONLY") {
    return new CommandFailed("store_unavailable", `Peyk may not open or write its database in ${dataDir}. ${giveIt}`);
  }
  if (errno.startsWith("SQLITE_")) {
    return new CommandFailed(
      "store_unavailable",
      `The database in ${dataDir} cannot be opened: ${reason.message} (${errno}).`,
    );
  }
  const place = "path" in reason ? String(reason.path) : dataDir;
  const sentence = listenFailure(reason, listen, "--listen") ?? sentenceByErrno[errno]?.(place);
  return sentence === undefined ? reason : new CommandFailed(errno.toLowerCase(), sentence);
}
