/** Reads every page of a database, which may be in use. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { damageText } from "../platform/copy-problem.ts";
import { errorCode } from "../platform/error-code.ts";
import { databaseFileName, FolderOfCluster, followsSentence, isFollowed } from "./database.ts";
import { requireDatabase } from "./installation.ts";
import { integrityFindings } from "./integrity-findings.ts";

/** The message is SQLite's. */
export class DatabaseDamaged extends Error {
  override readonly name = "DatabaseDamaged";
}

const findingsMax = 5;

/**
 * Blocks its thread throughout (0.8 s for 300 MB), so never call it on the thread that serves. Throws DatabaseDamaged,
 * DatabaseMissing.
 */
export function checkDatabase(folder: string): void {
  requireDatabase(folder, databaseFileName);
  if (isFollowed(folder)) throw new FolderOfCluster(folder, followsSentence(folder));
  const path = join(folder, databaseFileName);
  const findings = findingsIn(path);
  if (findings.length > 0) throw new DatabaseDamaged(damageText(path, findings));
}

function findingsIn(path: string): string[] {
  const database = new Database(path, { readonly: true, strict: true });
  try {
    database.run("PRAGMA busy_timeout = 5000");
    const rows = database.query<{ quick_check: string }, []>(`PRAGMA quick_check(${findingsMax})`).all();
    return integrityFindings(rows.map((row) => row.quick_check));
  } catch (reason) {
    if (!(reason instanceof Error) || !errorCode(reason).startsWith("SQLITE_")) throw reason;
    return [`${reason.message} (${errorCode(reason)})`];
  } finally {
    database.close();
  }
}
