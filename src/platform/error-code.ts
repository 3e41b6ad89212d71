/** Reads the code that the system, OpenSSL and SQLite put on their errors. */

/** `ENOENT`, `CERT_HAS_EXPIRED`, `SQLITE_FULL`; empty for what carries none. */
export function errorCode(reason: unknown): string {
  return reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : "";
}
