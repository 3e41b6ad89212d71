/** The lease in PostgreSQL, the take-over, and the nodes' reports about themselves. */
import type { EngineHealth, Lease, LeaseState, NodeState } from "./engine.ts";
import { leaderSession } from "./leader-session.ts";
import { numberIn, optionalNumberIn, optionalTextIn, type PostgresConnection } from "./postgres-connection.ts";
import { logTables } from "./postgres-log.ts";
import { FactsColumn, factsIn, factsText } from "./postgres-node-facts.ts";

const ageOf = (moment: string): string =>
  `extract(epoch FROM clock_timestamp() - ${moment}_at)::float8 * 1000 AS ${moment}_ms_ago`;

export class PostgresLease implements Lease {
  readonly #facts: FactsColumn;

  constructor(private readonly connection: PostgresConnection) {
    this.#facts = new FactsColumn(connection);
  }

  async state(): Promise<LeaseState | null> {
    const row = await this.connection.row(
      `SELECT lease.epoch::float8, holder, counter::float8, acknowledged::float8, next FROM peyk_cluster.lease
       JOIN peyk_cluster.state ON state.epoch = lease.epoch`,
    );
    if (row === null) return null;
    return {
      epoch: numberIn(row, "epoch"),
      holder: optionalTextIn(row, "holder"),
      counter: numberIn(row, "counter"),
      acknowledged: numberIn(row, "acknowledged"),
      next: optionalTextIn(row, "next"),
    };
  }

  async renew(epoch: number, acknowledged: number): Promise<{ next: string | null } | null> {
    const row = await this.connection.row(
      `UPDATE peyk_cluster.lease SET counter = counter + 1, acknowledged = $2
       WHERE epoch = $1 AND (SELECT epoch FROM peyk_cluster.state) = $1 RETURNING next`,
      [epoch, acknowledged],
    );
    return row === null ? null : { next: optionalTextIn(row, "next") };
  }

  /** Asks the leader to hand over to the node, or with `*` to any. False if no node leads. */
  async askHandOver(next: string): Promise<boolean> {
    const ask = "UPDATE peyk_cluster.lease SET next = $1 WHERE holder IS NOT NULL RETURNING epoch";
    return (await this.connection.rows(ask, [next])).length === 1;
  }

  async release(epoch: number, acknowledged: number, next: string | null): Promise<void> {
    await this.connection.rows(
      `UPDATE peyk_cluster.lease SET counter = counter + 1, holder = NULL, acknowledged = $2, next = $3 WHERE epoch = $1`,
      [epoch, acknowledged, next],
    );
  }

  async takeOver({ epoch, counter }: LeaseState, node: string, keyId: Uint8Array): Promise<number | null> {
    const row = await this.connection.row(
      `WITH led AS (
         UPDATE peyk_cluster.state SET epoch = epoch + 1
         WHERE epoch = $1 AND EXISTS (SELECT 1 FROM peyk_cluster.lease WHERE epoch = $1 AND counter = $2) RETURNING epoch
       ), noted AS (
         INSERT INTO peyk_cluster.epoch (epoch, key_id, node) SELECT epoch, $3, $4 FROM led
       )
       UPDATE peyk_cluster.lease SET epoch = led.epoch, holder = $4, counter = counter + 1, next = NULL FROM led
       RETURNING led.epoch::float8`,
      [epoch, counter, keyId, node],
    );
    return row === null ? null : numberIn(row, "epoch");
  }

  async endOlderSessions(epoch: number): Promise<void> {
    await this.connection.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user
         AND application_name LIKE 'peyk leader %' AND application_name <> $1`,
      [leaderSession(epoch)],
    );
  }

  async tell(node: Omit<NodeState, "seenMsAgo">): Promise<void> {
    const { name, instance, position, version, schema, settingsSum, copiedMsAgo, shippedMsAgo } = node;
    await this.#facts.require();
    await this.connection.rows(
      `INSERT INTO peyk_cluster.node
         (name, instance, position, version, schema, settings_sum, copied_at, shipped_at, seen_at, facts)
       VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() - $7::float8 * interval '1 ms',
         clock_timestamp() - $8::float8 * interval '1 ms', clock_timestamp(), $9::text::jsonb)
       ON CONFLICT (name) DO UPDATE SET instance = excluded.instance, position = excluded.position, version = excluded.version,
         schema = excluded.schema, settings_sum = excluded.settings_sum, copied_at = excluded.copied_at,
         shipped_at = excluded.shipped_at, seen_at = excluded.seen_at, facts = excluded.facts`,
      [name, instance, position, version, schema, settingsSum, copiedMsAgo, shippedMsAgo, factsText(node)],
    );
  }

  async nodes(): Promise<NodeState[]> {
    const rows = await this.connection.rows(
      `SELECT name, instance, position::float8, version, schema, settings_sum, ${ageOf("copied")}, ${ageOf("shipped")}, ${ageOf("seen")},
         to_jsonb(node) ->> 'facts' AS facts
       FROM peyk_cluster.node ORDER BY name`,
    );
    return rows.map((row) => ({
      name: String(row.name),
      instance: String(row.instance),
      position: numberIn(row, "position"),
      version: String(row.version),
      schema: numberIn(row, "schema"),
      settingsSum: String(row.settings_sum),
      copiedMsAgo: optionalNumberIn(row, "copied_ms_ago"),
      shippedMsAgo: optionalNumberIn(row, "shipped_ms_ago"),
      ...factsIn(row),
      seenMsAgo: Math.max(0, numberIn(row, "seen_ms_ago")),
    }));
  }

  /** False if unknown. */
  async forget(name: string): Promise<boolean> {
    const rows = await this.connection.rows("DELETE FROM peyk_cluster.node WHERE name = $1 RETURNING name", [name]);
    return rows.length === 1;
  }

  async health(): Promise<EngineHealth> {
    const row = await this.connection.row(
      `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('fsync') AS fsync,
         current_setting('synchronous_standby_names') AS standbys`,
    );
    const tables = await logTables(this.connection);
    return {
      version: Number(row?.version ?? 0),
      isSynchronous: String(row?.standbys ?? "") !== "",
      hasFsync: row?.fsync === "on",
      logBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }
}
