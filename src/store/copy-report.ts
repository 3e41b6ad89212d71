/** Opens a copy of the database, checks all of it and counts what it holds. */
import { type Database, SQLiteError } from "bun:sqlite";
import { errorCode } from "../platform/error-code.ts";
import { asOwnerOf, leadsThrough } from "../platform/folder-owner.ts";
import { portedFileName } from "../platform/ported-files.ts";
import { BackupUnusable } from "./backup.ts";
import { canQuery } from "./can-query.ts";
import type { SumState } from "./copy-sum.ts";
import { integrityFindings } from "./integrity-findings.ts";
import { type Migration, migrations as ours } from "./migrations.ts";
import { type OpenCopy, openCopy, readCopy, readDatabase, unreadable } from "./private-copy.ts";
import { sealedSecretsIn } from "./sealed-samples.ts";

export interface CopyReport {
  bytes: number;
  /** Whether a checksum at the end confirms that the copy is as written. */
  sum: "right" | "none";
  /** Number of the last migration. */
  schema: number;
  counts: Readonly<Record<string, number>>;
  /** When the newest message was accepted, epoch milliseconds; null if there is none. */
  newestMessageAt: number | null;
  /** Secrets that only the right key file can open, at most one of each kind. */
  sealed: readonly Uint8Array[];
  /** The file of ported numbers that belongs to it; null for none. */
  ported: string | null;
}

const counted: Readonly<Record<string, string>> = {
  accounts: "SELECT count(*) AS count FROM account",
  keys: "SELECT count(*) AS count FROM api_key WHERE revoked_at IS NULL",
  senders: "SELECT count(*) AS count FROM sender WHERE removed_at IS NULL",
  routes: "SELECT count(*) AS count FROM route WHERE removed_at IS NULL",
  messages: "SELECT count(*) AS count FROM message",
  waiting: "SELECT count(*) AS count FROM message WHERE due_at IS NOT NULL",
  inbound: "SELECT count(*) AS count FROM inbound",
  webhooks: "SELECT count(*) AS count FROM webhook WHERE removed_at IS NULL",
  callbacksWaiting: "SELECT count(*) AS count FROM delivery WHERE state = 'waiting'",
};

/**
 * Reads every page of the copy at `file`, with the rights of the owner of `folder` if the copy is inside it. Throws
 * BackupUnusable if it is not a Peyk copy, is damaged, is unreadable or was written by a newer build.
 */
export function inspectCopy(folder: string, file: string, known: readonly Migration[] = ours): CopyReport {
  using copy = openCopy(folder, file);
  const inspect = () => readCopy(copy, (database, { sum }) => reportOf(database, copy, sum, known));
  try {
    return unusableOr(file, () => (leadsThrough(folder, file) ? asOwnerOf(folder, inspect) : inspect()));
  } catch (reason) {
    throw errorCode(reason) === "EIO" ? unreadable(file, reason) : reason;
  }
}

/** The report on `database`, which has the contents of `copy`. */
export function reportOf(
  database: Database,
  { file, bytes }: Pick<OpenCopy, "file" | "bytes">,
  sum: SumState["sum"],
  known: readonly Migration[] = ours,
): CopyReport {
  const schema = schemaOf(database, file, known);
  refuseDamage(database, file);
  if (sum === "wrong") throw new BackupUnusable({ code: "wrong_sum", values: { file } });
  return { bytes, schema, sum, ...databaseContents(database), ported: portedOf(database) };
}

function portedOf(database: Database): string | null {
  const sql = "SELECT sum FROM ported_table";
  const row = canQuery(database)(sql) ? database.query<{ sum: string }, []>(sql).get() : null;
  return row && portedFileName(row.sum);
}

/** The file of ported numbers that belongs to a copy, which is not checked; null for none. */
export function portedOfCopy(file: string): string | null {
  try {
    return readDatabase(file, portedOf);
  } catch (reason) {
    if (!(reason instanceof SQLiteError)) throw reason;
    return null;
  }
}

/** Runs `work`; an error from SQLite becomes BackupUnusable. */
export function unusableOr<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (reason) {
    if (!(reason instanceof SQLiteError)) throw reason;
    const problem = { code: "no_database", values: { file, reason: reason.message } } as const;
    throw new BackupUnusable(problem, { cause: reason });
  }
}

function schemaOf(database: Database, file: string, known: readonly Migration[]): number {
  const table = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'migration'").get();
  if (table === null) throw new BackupUnusable({ code: "other_database", values: { file } });
  const newest = database.query<{ number: number | null }, []>("SELECT max(number) AS number FROM migration").get();
  const schema = newest?.number ?? 0;
  if (schema === 0) throw new BackupUnusable({ code: "never_set_up", values: { file } });
  if (schema > known.length) {
    throw new BackupUnusable({ code: "newer_schema", values: { file, schema, known: known.length } });
  }
  return schema;
}

function refuseDamage(database: Database, file: string): void {
  const found = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check(5)").all();
  const findings = integrityFindings(found.map((row) => row.integrity_check));
  if (findings.length > 0) throw new BackupUnusable({ code: "damaged", values: { file, findings } });
  const strays = database.query<{ table: string }, []>("PRAGMA foreign_key_check").all();
  const tables = [...new Set(strays.map(({ table }) => table))];
  if (tables.length > 0) {
    throw new BackupUnusable({ code: "stray_rows", values: { file, rows: strays.length, tables } });
  }
}

/** A copy with an older schema lacks some tables; they are left out of the counts. */
export function databaseContents(database: Database): Pick<CopyReport, "counts" | "newestMessageAt" | "sealed"> {
  const canAnswer = canQuery(database);
  const counts = Object.entries(counted)
    .filter(([, sql]) => canAnswer(sql))
    .map(([name, sql]): [string, number] => [name, database.query<{ count: number }, []>(sql).get()?.count ?? 0]);
  // Not the time of the highest id: messages of a group get their ids before their times.
  const newest = database.query<{ at: number | null }, []>("SELECT max(submitted_at) AS at FROM message").get();
  const sealed = sealedSecretsIn(database);
  return { counts: Object.fromEntries(counts), newestMessageAt: newest?.at ?? null, sealed };
}
