/** Migrates a database to this build's schema, or refuses with a message that says what to do. */
import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { errorMessage } from "../platform/error-code.ts";
import type { Migration } from "./migrations.ts";

/** The database and this build do not match; nothing was changed. */
export class MigrationRefused extends Error {
  override readonly name = "MigrationRefused";
}

interface Applied {
  number: number;
  name: string;
  sha256: string;
}

function sha256(sql: string): string {
  return createHash("sha256").update(sql).digest("hex");
}

function appliedMigrations(database: Database): Applied[] {
  database.run(
    `CREATE TABLE IF NOT EXISTS migration (
       number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
     ) STRICT`,
  );
  return database.query<Applied, []>("SELECT number, name, sha256 FROM migration ORDER BY number").all();
}

function refuseForeignHistory(applied: readonly Applied[], known: readonly Migration[]): void {
  const newest = applied.at(-1);
  if (newest !== undefined && newest.number > known.length) {
    throw new MigrationRefused(
      `This database was written by a newer Peyk (its schema is ${newest.number}, this build knows ${known.length}). ` +
        "Install that version again, or restore a backup made before the upgrade.",
    );
  }
  applied.forEach((row, index) => {
    const migration = known[index];
    if (migration === undefined || row.number !== index + 1) {
      throw new MigrationRefused(
        `Migration ${index + 1} is missing from this database although ${row.number} was applied.`,
      );
    }
    if (row.sha256 !== sha256(migration.sql)) {
      throw new MigrationRefused(
        `Migration ${row.number} (${row.name}) was edited after it was applied to this database. ` +
          "Use the build that created it, or restore a backup.",
      );
    }
  });
}

/**
 * The upgrade in progress, by the number of its first migration; 0 if there is none. It is changed in the transactions
 * of the migrations and stored in the file header (`application_id`), so that an interrupted upgrade finds its copy
 * instead of making a second one as large.
 */
function upgradeBegunAt(database: Database): number {
  return database.query<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id ?? 0;
}

function markUpgrade(database: Database, begunAt: number): void {
  if (upgradeBegunAt(database) !== begunAt) database.run(`PRAGMA application_id = ${begunAt}`);
}

/** Applies all of them in one transaction. */
function apply(database: Database, migrations: readonly Migration[], now: number, begunAt = 0): void {
  // This pragma has no effect inside a transaction, so it comes before BEGIN: a table rebuild must not cascade deletes.
  database.run("PRAGMA foreign_keys = OFF");
  let current: Migration | undefined;
  try {
    database.run("BEGIN IMMEDIATE");
    for (const migration of migrations) {
      current = migration;
      applyOne(database, migration, now);
    }
    markUpgrade(database, begunAt);
    database.run("COMMIT");
  } catch (reason) {
    if (database.inTransaction) database.run("ROLLBACK");
    const why = errorMessage(reason);
    throw new MigrationRefused(`Migration ${current?.number} (${current?.name}) failed and was undone: ${why}`, {
      cause: reason,
    });
  } finally {
    database.run("PRAGMA foreign_keys = ON");
  }
}

function applyOne(database: Database, { number, name, sql }: Migration, now: number): void {
  database.run(sql);
  const violations = database.query("PRAGMA foreign_key_check").all();
  if (violations.length > 0) throw new Error(`it leaves ${violations.length} rows that refer to nothing`);
  const row = [number, name, sha256(sql), now];
  database.run("INSERT INTO migration (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)", row);
}

export interface MigrateOptions {
  known: readonly Migration[];
  now: number;
  /** Called before the first change to a database that is not empty; must have copied it when it returns. */
  snapshot(firstNumber: number): void;
  /** True if that copy exists. */
  hasSnapshot(firstNumber: number): boolean;
  /**
   * Called before each migration, the first time before anything is copied or changed, and may refuse by throwing. Adding
   * a column to a STRICT table reads all rows, a second per million.
   */
  applying?(migration: Migration): void;
}

/**
 * Applies the missing migrations and returns how many. Each gets its own transaction, except in a new database: there
 * one transaction holds all of them, because their syncs would take a third of a first start.
 */
export function migrate(database: Database, { known, now, snapshot, hasSnapshot, applying }: MigrateOptions): number {
  const applied = appliedMigrations(database);
  refuseForeignHistory(applied, known);
  const missing = known.slice(applied.length);
  if (applied.length === 0) {
    apply(database, missing, now);
    return missing.length;
  }
  if (missing.length === 0) markUpgrade(database, 0);
  else upgrade(database, { missing, now, first: firstOf(database, applied.length, hasSnapshot), snapshot, applying });
  return missing.length;
}

/** The first migration of this upgrade, which may have been interrupted after it. */
function firstOf(database: Database, applied: number, hasSnapshot: MigrateOptions["hasSnapshot"]): number {
  const begunAt = upgradeBegunAt(database);
  return begunAt > 0 && begunAt <= applied && hasSnapshot(begunAt) ? begunAt : applied + 1;
}

interface Upgrade extends Pick<MigrateOptions, "now" | "snapshot"> {
  missing: readonly Migration[];
  first: number;
  applying: MigrateOptions["applying"] | undefined;
}

function upgrade(database: Database, { missing, now, first, snapshot, applying }: Upgrade): void {
  for (const migration of missing) {
    applying?.(migration);
    if (migration.number === first) snapshot(first);
    apply(database, [migration], now, migration === missing.at(-1) ? 0 : first);
  }
}
