/** Tells a data folder that lost its database from a new one: peyk.id and the database both name the installation. */
import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../platform/durable-file.ts";
import { errorCode } from "../platform/error-code.ts";
import type { Random } from "../platform/random.ts";
import { canQuery } from "./can-query.ts";

/**
 * The folder's database is missing, or a different one is in its place. The message says how to recover. Nothing was
 * changed.
 */
export class DatabaseMissing extends Error {
  override readonly name = "DatabaseMissing";
}

export const identityFileName = "peyk.id";
const identity = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Earlier databases kept by a restore, a migration or an upgrade, and the remains of an interrupted restore. */
const keptNames = /^(peyk\.db\.(restoring|before-restore-\w+)|before-migration-\d+\.db|before-upgrade(\..*)?)$/;
const copyNames = /^(peyk|recent)-.*\.db$/;

/**
 * Throws DatabaseMissing if a start would create a new database although something in `folder` shows that one belongs
 * there.
 */
export function refuseLostDatabase(folder: string, databaseName: string): void {
  const path = join(folder, databaseName);
  if (sizeOf(path) > 0) return;
  const evidence = [
    ...[identityFileName].filter((name) => existsSync(join(folder, name))),
    ...[`${databaseName}-wal`].filter((name) => sizeOf(join(folder, name)) > 0),
    ...namesIn(folder).filter((name) => keptNames.test(name)),
    ...namesIn(join(folder, "backups"))
      .filter((name) => copyNames.test(name))
      .map((name) => join("backups", name))
      .slice(-1),
  ];
  if (evidence.length === 0) return;
  const copy = evidence
    .map((name) => (name === "before-upgrade" ? join(name, databaseName) : name))
    .findLast((name) => !/^peyk\.id$|-wal$|restoring$/.test(name) && sizeOf(join(folder, name)) > 0);
  throw new DatabaseMissing(
    [
      `${path} is ${existsSync(path) ? "empty" : "missing"}, but a database belongs there: ${evidence.join(", ")} in ${folder} ` +
        "would not be there without one. Peyk does not begin anew beside them, without accounts and messages.",
      `Bring the database back:  peyk backup restore ${copy === undefined ? "FILE" : join(folder, copy)}`,
      `To begin anew all the same, move away what is named above.`,
    ].join("\n"),
  );
}

/** For work that must not create a database. Throws DatabaseMissing. */
export function requireDatabase(folder: string, databaseName: string): void {
  refuseLostDatabase(folder, databaseName);
  if (sizeOf(join(folder, databaseName)) === 0) throw new DatabaseMissing(`There is no database in ${folder}.`);
}

/**
 * Gives the folder and its database the same id, using the one that either already has. Throws DatabaseMissing if they
 * differ.
 */
export function identify(folder: string, database: Database, random: Pick<Random, "uuid">): void {
  if (!canQuery(database)("SELECT id FROM installation")) return;
  const path = join(folder, identityFileName);
  const named = identityIn(path);
  const stored = database.query<{ id: string }, []>("SELECT id FROM installation").get()?.id ?? null;
  if (named !== null && stored !== null && named !== stored) {
    throw new DatabaseMissing(
      `The database in ${folder} is that of another installation (${stored}; ${identityFileName} names ${named}). ` +
        `Put a copy in place by: peyk backup restore FILE. If this database is meant, remove ${path}.`,
    );
  }
  const id = named ?? stored ?? random.uuid();
  if (stored === null) database.run("INSERT INTO installation (only, id) VALUES (1, ?)", [id]);
  // Last: from here on, a missing database counts as lost.
  if (named === null) writeDurably(path, `${id}\n`);
}

/** The id in the folder's `peyk.id`; null for none. */
export const identityOf = (folder: string): string | null => identityIn(join(folder, identityFileName));

/** Gives `database`, a copy to be put into `folder`, the id of its installation. */
export function adopt(folder: string, database: Database): void {
  const named = identityIn(join(folder, identityFileName));
  if (named === null || !canQuery(database)("SELECT id FROM installation")) return;
  database.run("UPDATE installation SET id = ?", [named]);
}

/** Null if the file is missing or has no id: the next start writes it again. */
function identityIn(path: string): string | null {
  const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  return identity.test(text) ? text : null;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (reason) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(reason))) return [];
    throw reason;
  }
}
