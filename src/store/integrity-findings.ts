/** The findings of SQLite's integrity checks, in SQLite's words. */

/** One string per finding. SQLite puts several into one row under a heading, and says `ok` if there are none. */
export function integrityFindings(rows: readonly string[]): string[] {
  const lines = rows.flatMap((row) => row.split("\n"));
  return lines.filter((line) => line !== "" && line !== "ok" && !line.startsWith("***"));
}
