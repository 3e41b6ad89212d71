/** Describes errors: the message, and the code of the system, OpenSSL or SQLite with an explanation. */

/** `ENOENT`, `CERT_HAS_EXPIRED`, `SQLITE_FULL`; empty if there is none. */
export function errorCode(reason: unknown): string {
  return reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : "";
}

/** True if the system refused, as with `ENOSPC`, but not for `ERR_OUT_OF_RANGE`, which is a bug. */
export const isSystemError = (reason: unknown): boolean => /^E[A-Z0-9]+$/.test(errorCode(reason));

const wordsByCode: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EIO: "the disk reports an error",
  EISDIR: "it is a folder",
  ELOOP: "it is a symbolic link, or too many lead to it",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it does not exist",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
};

/** The error's message; thrown values are not always errors. */
export const errorMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/**
 * Why a file could not be used, for an operator: `it does not exist`. Codes without an explanation keep their own
 * message.
 */
export function fileFailure(reason: unknown): string {
  return wordsByCode[errorCode(reason)] ?? errorMessage(reason);
}
