/** Creates a log in a PostgreSQL database, and removes it. */
import type { LogIdentity } from "./engine.ts";
import { numberIn, type PostgresConnection } from "./postgres-connection.ts";
import { createTable } from "./postgres-log.ts";

/** The database cannot be used for a new log; the message says why. */
export class DatabaseTaken extends Error {
  override readonly name = "DatabaseTaken";
}

/** The sum that the first entry follows: unique to a log, so that entries of another generation never fit. */
export const firstSum = (generation: string): Uint8Array =>
  new Bun.CryptoHasher("sha256").update(`peyk cluster ${generation}`).digest();

/** @throws DatabaseTaken if the database holds something else, or another log */
export async function beginLog(connection: PostgresConnection, identity: LogIdentity, isAgain: boolean): Promise<void> {
  const foreign = await connection.row(
    `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast', 'peyk_cluster')
     LIMIT 1`,
  );
  if (foreign !== null)
    throw new DatabaseTaken(
      `The database holds ${String(foreign.name)}: the cluster's log wants a database of its own.`,
    );
  let epoch = 0;
  const existing = await connection.row("SELECT to_regclass('peyk_cluster.state') IS NOT NULL AS there");
  if (existing?.there === true) {
    const state = await connection.row("SELECT installation, epoch::float8 FROM peyk_cluster.state");
    if (state !== null && state.installation !== identity.installation)
      throw new DatabaseTaken(`The database holds the log of another installation (${String(state.installation)}).`);
    if (!isAgain)
      throw new DatabaseTaken(
        "The database holds a log of this installation. With --again a new one begins, and every other node must join anew.",
      );
    // A leader of the earlier log that still runs must not find its own epoch here, and renew another node's lease.
    if (state !== null) epoch = numberIn(state, "epoch") + 1;
  }
  await connection.rows("DROP SCHEMA IF EXISTS peyk_cluster CASCADE");
  for (const statement of schema) await connection.rows(statement);
  for (const statement of createTable(0)) await connection.rows(statement);
  await connection.rows(
    "INSERT INTO peyk_cluster.entry_0 (sequence, epoch, piece, sum, bytes) VALUES (0, 0, 0, $1, '')",
    [firstSum(identity.generation)],
  );
  await connection.rows(
    "INSERT INTO peyk_cluster.lease (epoch, holder, counter, acknowledged) VALUES ($1, NULL, 0, 0)",
    [epoch],
  );
  // Last, so that a log that can be found is complete.
  await connection.rows(
    "INSERT INTO peyk_cluster.state (installation, generation, key_check, epoch) VALUES ($1, $2, $3, $4)",
    [identity.installation, identity.generation, identity.keyCheck, epoch],
  );
}

const schema = [
  "CREATE SCHEMA peyk_cluster",
  `CREATE TABLE peyk_cluster.state (
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), format int NOT NULL DEFAULT 1, installation text NOT NULL,
     generation text NOT NULL, key_check bytea NOT NULL, epoch bigint NOT NULL, begun_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE peyk_cluster.epoch (
     epoch bigint PRIMARY KEY, key_id bytea NOT NULL, node text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())`,
  `CREATE TABLE peyk_cluster.lease (
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), epoch bigint NOT NULL, holder text, counter bigint NOT NULL,
     acknowledged bigint NOT NULL, next text, confirmed bigint NOT NULL DEFAULT 0) WITH (fillfactor = 20)`,
  `CREATE TABLE peyk_cluster.node (
     name text PRIMARY KEY, instance text NOT NULL, position bigint NOT NULL, version text NOT NULL, schema int NOT NULL, settings_sum text NOT NULL,
     copied_at timestamptz, shipped_at timestamptz, seen_at timestamptz NOT NULL, facts jsonb)`,
];
