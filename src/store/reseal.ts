/** Seals all sealed data of a database under a new key, in one transaction. The service must be stopped. */
import type { Database } from "bun:sqlite";
import { messageClasses } from "../domain/message.ts";
import { joinSealed, sealedPart, visibleText } from "../domain/sealed-text.ts";
import { KeyFileError, type Sealer } from "../platform/seal.ts";
import { databaseFileName, openDatabase } from "./database.ts";
import { requireDatabase } from "./installation.ts";
import { sealedSecretsIn } from "./sealed-samples.ts";

export interface ResealDeps {
  /** Opens with the old or the new key, and seals with the new one. */
  sealer: Sealer;
  /** By purpose; stored unless the database already has some. They were derived from the previous key file. */
  hashKeys: ReadonlyMap<string, Uint8Array>;
  /** Called with the number of messages examined so far; `total` is an upper bound. */
  progress(looked: number, total: number): void;
}

export interface ResealReport {
  /** Now sealed under the new key. */
  resealed: number;
  /** Sealed under a key that was already lost. */
  unreadable: number;
}

/** Limits memory: a million messages may have come with callbacks. */
const rowsPerSlice = 10_000;
/** Ids per query: 0.1 s. */
const idsPerSlice = 100_000;

const sealedColumns = [
  { table: "route", column: "sealed_secrets" },
  { table: "webhook", column: "sealed_secret" },
  { table: "webhook", column: "next_sealed_secret" },
  { table: "credential", column: "sealed_secret" },
  { table: "credential", column: "previous_sealed" },
  { table: "credential", column: "sealed_forward" },
  { table: "hash_key", column: "sealed" },
  { table: "console_user", column: "sealed_factor" },
  { table: "message_callback", column: "sealed" },
  { table: "otp_sequence", column: "sealed" },
  { table: "alert_receiver", column: "sealed_secret" },
  { table: "number_lookup", column: "sealed" },
] as const;

/** Data that only the right key opens, at most one of each kind. Throws DataFolderInUse, DatabaseMissing. */
export function sealedSamples(folder: string, now: number): Uint8Array[] {
  requireDatabase(folder, databaseFileName);
  const opened = openDatabase(folder, now);
  try {
    return sealedSecretsIn(opened.database);
  } finally {
    opened.close();
  }
}

/** All or nothing, even if it crashes. Throws DataFolderInUse. */
export function resealDatabase(folder: string, now: number, deps: ResealDeps): ResealReport {
  const opened = openDatabase(folder, now);
  const { database } = opened;
  try {
    // Data sealed under the old key must not stay readable in free pages.
    database.run("PRAGMA secure_delete = ON");
    const report = database.transaction(() => reseal(database, deps)).immediate();
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return report;
  } finally {
    opened.close();
  }
}

function reseal(database: Database, { sealer, hashKeys, progress }: ResealDeps): ResealReport {
  const report = { resealed: 0, unreadable: 0 };
  function resealed(sealed: Uint8Array): Uint8Array | null {
    try {
      const again = sealer.seal(sealer.open(sealed));
      report.resealed += 1;
      return again;
    } catch (reason) {
      if (!(reason instanceof KeyFileError)) throw reason;
      report.unreadable += 1;
      return null;
    }
  }

  for (const { table, column } of sealedColumns) resealColumn(database, table, column, resealed);
  resealTexts(database, resealed, progress);
  const keep = database.prepare("INSERT OR IGNORE INTO hash_key (purpose, sealed) VALUES (?, ?)");
  for (const [purpose, key] of hashKeys) keep.run(purpose, sealer.seal(Buffer.from(key).toString("hex")));
  return report;
}

type Resealed = (sealed: Uint8Array) => Uint8Array | null;

function resealColumn(database: Database, table: string, column: string, resealed: Resealed): void {
  const update = database.prepare(`UPDATE ${table} SET ${column} = ?2 WHERE rowid = ?1`);
  const slice = database.query<{ id: number; sealed: Uint8Array }, [number]>(
    `SELECT rowid AS id, ${column} AS sealed FROM ${table} WHERE rowid > ? AND ${column} IS NOT NULL
     ORDER BY rowid LIMIT ${rowsPerSlice}`,
  );
  for (let rows = slice.all(0); rows.length > 0; rows = slice.all(rows.at(-1)?.id ?? 0)) {
    for (const { id, sealed } of rows) {
      const again = resealed(sealed);
      if (again !== null) update.run(id, again);
    }
  }
}

/** The texts of one-time passwords that are not final yet. */
function resealTexts(database: Database, resealed: Resealed, progress: ResealDeps["progress"]): void {
  const newest = database.query<{ id: number | null }, []>("SELECT max(id) AS id FROM message").get()?.id ?? 0;
  const slice = database.query<{ id: number; text: string }, [number, number]>(
    `SELECT id, text FROM message WHERE id > ? AND id <= ? AND class = ${messageClasses.otp} AND instr(text, char(1)) > 0`,
  );
  const update = database.prepare("UPDATE message SET text = ?2 WHERE id = ?1");
  for (let after = 0; after < newest; after += idsPerSlice) {
    for (const { id, text } of slice.all(after, after + idsPerSlice)) {
      const part = sealedPart(text);
      const again = part === null ? null : resealed(part);
      if (again !== null) update.run(id, joinSealed(visibleText(text), again));
    }
    progress(Math.min(after + idsPerSlice, newest), newest);
  }
}
