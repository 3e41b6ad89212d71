/** Tells a data folder that lost its database from a new one: peyk.id names the installation, and so does its database. */
import type { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../platform/durable-file.ts";
import { errorCode } from "../platform/error-code.ts";
import { canQuery } from "./can-query.ts";

/** A database belongs in the folder and is not there, or another one is; the words name the way back. Nothing was changed. */
export class DatabaseMissing extends Error {
  override readonly name = "DatabaseMissing";
}

export const identityFileName = "peyk.id";
const identity = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What a restore, a migration and an upgrade keep of the database before them, and a restore that was cut off. */
const keptNames = /^(peyk\.db\.(restoring|before-restore-\w+)|before-migration-\d+\.db|before-upgrade(\..*)?)$/;
const copyNames = /^(peyk|recent)-.*\.db$/;

/** Throws DatabaseMissing where a start would begin anew although something in `folder` says that a database belongs there. */
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

/** For work on a database that must not begin one. Throws DatabaseMissing. */
export function requireDatabase(folder: string, databaseName: string): void {
  refuseLostDatabase(folder, databaseName);
  if (sizeOf(join(folder, databaseName)) === 0) throw new DatabaseMissing(`There is no database in ${folder}.`);
}

/** Gives the folder and its database one id, whichever of the two has one already. Throws DatabaseMissing where they differ. */
export function identify(folder: string, database: Database): void {
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
  const id = named ?? stored ?? randomUUID();
  if (stored === null) database.run("INSERT INTO installation (only, id) VALUES (1, ?)", [id]);
  // Last: from here on a missing database is a lost one.
  if (named === null) writeDurably(path, `${id}\n`);
}

/** Makes `database`, a copy that is to be put into `folder`, one of its installation. */
export function adopt(folder: string, database: Database): void {
  const named = identityIn(join(folder, identityFileName));
  if (named === null || !canQuery(database)("SELECT id FROM installation")) return;
  database.run("UPDATE installation SET id = ?", [named]);
}

/** Null for a missing file and one without an id: the next start writes it anew. */
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
