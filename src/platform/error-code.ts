/** The word by which the system, OpenSSL or SQLite names a failure. */

/** `ENOENT`, `CERT_HAS_EXPIRED`, `SQLITE_FULL`; empty for what carries none. */
export function errorCode(reason: unknown): string {
  return reason instanceof Error && "code" in reason && typeof reason.code === "string" ? reason.code : "";
}
