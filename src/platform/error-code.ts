/** What an error says: its message, and the code of the system, OpenSSL or SQLite with words for it. */

/** `ENOENT`, `CERT_HAS_EXPIRED`, `SQLITE_FULL`; empty for what carries none. */
export function errorCode(reason: unknown): string {
  return reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : "";
}

/** Whether the system refused, as by `ENOSPC`; not so `ERR_OUT_OF_RANGE`, which is a defect. */
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

/** Its message; what is thrown is not always an error. */
export const errorMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** Why a file could not be used, for an operator: `it does not exist`. What has no words here keeps its own message. */
export function fileFailure(reason: unknown): string {
  return wordsByCode[errorCode(reason)] ?? errorMessage(reason);
}
