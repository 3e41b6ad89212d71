/**
 * The log in PostgreSQL: one table per 8,192 entries, so that old entries are dropped by table, not deleted row by row.
 */
import type { Head, LogIdentity, LogReader, LogWriter } from "./engine.ts";
import { EngineUnavailable } from "./engine.ts";
import type { Entry } from "./entry.ts";
import { bytesIn, isMissingTable, numberIn, type PostgresConnection } from "./postgres-connection.ts";

const entriesPerTable = 8_192;
/**
 * Entries per read; fewer if they are large. A follower syncs its file and its position after each read, which delays
 * the leader's appends if both share a disk.
 */
const entriesPerRead = 512;
const bytesPerRead = 8 * 1024 * 1024;
/** An upper bound, before compression: every piece but an entry's last counts as this many. */
const bytesPerPiece = 4 * 1024 * 1024;

const numberOfTable = (sequence: number): number => Math.floor(sequence / entriesPerTable);
const tableOf = (sequence: number): string => `peyk_cluster.entry_${numberOfTable(sequence)}`;

/**
 * Several epochs may have pieces of one sequence number, left by leaders that were cut off before completing the entry.
 * The row with `last`, of which each sequence has one, says whose entry it became.
 */
export const createTable = (sequence: number): string[] => {
  const number = numberOfTable(sequence);
  return [
    `CREATE TABLE IF NOT EXISTS peyk_cluster.entry_${number} (
       sequence bigint NOT NULL, epoch bigint NOT NULL, piece int NOT NULL, sum bytea, bytes bytea NOT NULL,
       PRIMARY KEY (sequence, epoch, piece))`,
    `ALTER TABLE peyk_cluster.entry_${number} ALTER COLUMN bytes SET STORAGE EXTERNAL`,
    `CREATE UNIQUE INDEX IF NOT EXISTS entry_${number}_last ON peyk_cluster.entry_${number} (sequence) WHERE sum IS NOT NULL`,
  ];
};

/**
 * Locks the epoch's row instead of writing it: an old snapshot, held by a dump or a report, would retain every version
 * of a row that each append updates, and appends would have to scan them all.
 */
const appendTo = (sequence: number): string => `
  WITH mine AS (SELECT 1 FROM peyk_cluster.state WHERE epoch = $1 FOR SHARE)
  INSERT INTO ${tableOf(sequence)} (sequence, epoch, piece, sum, bytes)
  SELECT $2, $1, $3, $4, $5 FROM mine
  WHERE EXISTS (SELECT 1 FROM ${tableOf(sequence - 1)} WHERE sequence = $2 - 1 AND sum = $6)
  ON CONFLICT DO NOTHING RETURNING sequence`;

export class PostgresLogWriter implements LogWriter {
  /** The newest table known to exist. */
  #table = -1;

  constructor(private readonly connection: PostgresConnection) {}

  async addPiece(entry: Entry, piece: number): Promise<void> {
    await this.#makeTable(entry.sequence);
    await this.connection.rows(
      `INSERT INTO ${tableOf(entry.sequence)} (sequence, epoch, piece, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [entry.sequence, entry.epoch, piece, entry.pieces[piece]],
    );
  }

  async append(entry: Entry, before: Uint8Array): Promise<boolean> {
    const { epoch, sequence, sum, pieces } = entry;
    await this.#makeTable(sequence);
    const values = [epoch, sequence, pieces.length - 1, sum, pieces.at(-1), before];
    return (await this.connection.rows(appendTo(sequence), values)).length === 1;
  }

  head = (): Promise<Head> => headOf(this.connection);

  async epoch(): Promise<number> {
    const state = await this.connection.row("SELECT epoch::float8 FROM peyk_cluster.state");
    return state === null ? 0 : numberIn(state, "epoch");
  }

  async confirm(epoch: number): Promise<boolean> {
    const confirm = "UPDATE peyk_cluster.lease SET confirmed = confirmed + 1 WHERE epoch = $1 RETURNING epoch";
    return (await this.connection.rows(confirm, [epoch])).length === 1;
  }

  reconnect(): void {
    this.connection.reconnect();
  }

  async #makeTable(sequence: number): Promise<void> {
    const number = numberOfTable(sequence);
    if (number <= this.#table) return;
    for (const statement of createTable(sequence)) await this.connection.rows(statement);
    this.#table = number;
  }
}

export class PostgresLogReader implements LogReader {
  constructor(private readonly connection: PostgresConnection) {}

  async identity(): Promise<LogIdentity | null> {
    const there = await this.connection.row("SELECT to_regclass('peyk_cluster.state') IS NOT NULL AS there");
    if (there?.there !== true) return null;
    const state = await this.connection.row("SELECT installation, generation, key_check FROM peyk_cluster.state");
    if (state === null) return null;
    return {
      installation: String(state.installation),
      generation: String(state.generation),
      keyCheck: bytesIn(state, "key_check"),
    };
  }

  async read(after: number, last: number): Promise<Entry[]> {
    const first = after + 1;
    const until = Math.min(last, (numberOfTable(first) + 1) * entriesPerTable - 1);
    const read = this.connection.rows(
      `WITH entry AS (
         SELECT sequence, epoch, sum(piece * ${bytesPerPiece}::bigint + octet_length(bytes)) OVER (ORDER BY sequence) AS size
         FROM ${tableOf(first)} WHERE sum IS NOT NULL AND sequence BETWEEN $1 AND $2 ORDER BY sequence LIMIT ${entriesPerRead})
       SELECT sequence::float8, epoch::float8, sum, bytes FROM ${tableOf(first)} JOIN entry USING (sequence, epoch)
       WHERE size <= ${bytesPerRead} OR sequence = $1 ORDER BY sequence, piece`,
      [first, until],
    );
    const rows = await read.catch((reason: unknown) => {
      // The table for this entry does not exist yet, or the entries were dropped.
      if (isMissingTable(reason)) return [];
      throw reason;
    });
    const entries: Entry[] = [];
    let pieces: Uint8Array[] = [];
    for (const row of rows) {
      pieces.push(bytesIn(row, "bytes"));
      if (row.sum === null) continue;
      const name = { sequence: numberIn(row, "sequence"), epoch: numberIn(row, "epoch") };
      entries.push({ ...name, pieces, sum: bytesIn(row, "sum") });
      pieces = [];
    }
    return entries;
  }

  async keyId(epoch: number): Promise<Uint8Array> {
    const row = await this.connection.row("SELECT key_id FROM peyk_cluster.epoch WHERE epoch = $1", [epoch]);
    if (row === null) throw new EngineUnavailable(`The cluster's log knows nothing of epoch ${epoch}`);
    return bytesIn(row, "key_id");
  }

  head = (): Promise<Head> => headOf(this.connection);

  async sum(sequence: number): Promise<Uint8Array | null> {
    const there = await this.connection.row("SELECT to_regclass($1) IS NOT NULL AS there", [tableOf(sequence)]);
    if (there?.there !== true) return null;
    const found = `SELECT sum FROM ${tableOf(sequence)} WHERE sequence = $1 AND sum IS NOT NULL`;
    const row = await this.connection.row(found, [sequence]);
    return row === null ? null : bytesIn(row, "sum");
  }
}

interface LogTable {
  number: number;
  bytes: number;
}

/** Oldest first. */
export async function logTables(connection: PostgresConnection): Promise<LogTable[]> {
  const rows = await connection.rows(
    `SELECT substr(relname, 7)::float8 AS number, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
     WHERE relnamespace = to_regnamespace('peyk_cluster') AND relkind = 'r' AND relname ~ '^entry_[0-9]+$' ORDER BY 1`,
  );
  return rows.map((row) => ({ number: numberIn(row, "number"), bytes: numberIn(row, "bytes") }));
}

async function headOf(connection: PostgresConnection): Promise<Head> {
  for (const { number } of (await logTables(connection)).reverse()) {
    const row = await connection.row(
      `SELECT sequence::float8, epoch::float8, sum FROM peyk_cluster.entry_${number} WHERE sum IS NOT NULL
       ORDER BY sequence DESC LIMIT 1`,
    );
    if (row === null) continue;
    return { sequence: numberIn(row, "sequence"), epoch: numberIn(row, "epoch"), sum: bytesIn(row, "sum") };
  }
  throw new EngineUnavailable("The cluster's log is empty; it begins with: peyk cluster init");
}

/**
 * Drops what every node has (`position`), and more if the log exceeds its limit: a node that still needs those entries
 * must join again. What follows `positionMax` stays: the leader itself needs it after its next start. So do the newest
 * two tables. Never waits for a reader.
 */
export async function dropOldEntries(
  connection: PostgresConnection,
  position: number,
  bytesMax: number,
  positionMax: number,
): Promise<number> {
  const tables = await logTables(connection);
  let bytes = tables.reduce((sum, one) => sum + one.bytes, 0);
  let dropped = 0;
  for (const table of tables.slice(0, -2)) {
    const last = (table.number + 1) * entriesPerTable;
    if (last > position && (bytes <= bytesMax || last > positionMax)) break;
    await connection.rows("SET lock_timeout = '200ms'");
    await connection.rows(`DROP TABLE peyk_cluster.entry_${table.number}`);
    bytes -= table.bytes;
    dropped += 1;
  }
  return dropped;
}
