/** What SQLite's checks of a database found, in its words. */

/** One finding each. SQLite puts several into one row, below a heading, and says `ok` where it found none. */
export function integrityFindings(rows: readonly string[]): string[] {
  const lines = rows.flatMap((row) => row.split("\n"));
  return lines.filter((line) => line !== "" && line !== "ok" && !line.startsWith("***"));
}
