/** Requests by Idempotency-Key. A row commits in the transaction of the messages that it names. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { type IndexEntry, KeyIndex } from "./key-index.ts";
import { acceptedRequest } from "./schema.ts";

const columns = columnsOf(
  acceptedRequest,
  "firstMessageId",
  "apiKeyId",
  "key",
  "operation",
  "payloadHash",
  "messageCount",
);
const keyColumns = columnsOf(acceptedRequest, "id", "apiKeyId", "key");
const ageColumns = columnsOf(acceptedRequest, "id", "createdAt");

type RequestRow = RowOf<typeof columns>;

/**
 * `operation`: method and path, so that one key cannot stand for two operations. The messages of the request follow each other:
 * `messageCount` of them from `firstMessageId` on.
 */
export type IdempotencyRow = Omit<RequestRow, "apiKeyId" | "key">;

export interface IdempotencyOptions {
  write<T>(change: () => T): Promise<T>;
  /** Requests found in memory before they are merged into the index on disk; for tests. */
  freshMax?: number;
}

const prepare = (database: Database) => ({
  byId: database.prepare<RequestRow, [number]>(`SELECT ${columns} FROM request WHERE id = ?`),
  insert: database.prepare(
    insertInto(
      acceptedRequest,
      "id",
      "firstMessageId",
      "apiKeyId",
      "key",
      "operation",
      "payloadHash",
      "messageCount",
      "createdAt",
    ),
  ),
  after: database.prepare<RowOf<typeof keyColumns>, [number]>(
    `SELECT ${keyColumns} FROM request WHERE id > ? ORDER BY id`,
  ),
  oldest: database.prepare<RowOf<typeof ageColumns>, [number]>(`SELECT ${ageColumns} FROM request ORDER BY id LIMIT ?`),
  remove: database.prepare("DELETE FROM request WHERE id = ?"),
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM request"),
});

type Statements = ReturnType<typeof prepare>;

export class IdempotencyTable {
  readonly #sql: Statements;
  readonly #index: KeyIndex;
  #lastId: number;

  constructor(database: Database, options: IdempotencyOptions) {
    const sql = prepare(database);
    this.#sql = sql;
    this.#index = new KeyIndex(database, {
      ...options,
      isStored: (id) => sql.byId.get(id) !== null,
      unmerged: (afterId) => indexEntries(sql, afterId),
    });
    // Counted here: SQLite would begin anew once retention has emptied the table, below what the index calls merged. What is
    // rolled back leaves a gap, which harms nothing.
    this.#lastId = Math.max(sql.newest.get()?.id ?? 0, this.#index.mergedTo());
  }

  find(apiKeyId: number, key: string): IdempotencyRow | null {
    return this.#index.find(fingerprintOf(apiKeyId, key), (id) => {
      const row = this.#sql.byId.get(id);
      return row !== null && row.apiKeyId === apiKeyId && row.key === key ? row : null;
    });
  }

  insert(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
    const { operation, payloadHash, firstMessageId, messageCount } = row;
    this.#lastId += 1;
    const id = this.#lastId;
    this.#sql.insert.run(id, firstMessageId, apiKeyId, key, operation, payloadHash, messageCount, createdAt);
    // Should the transaction be undone, the index names a row that is not there, and `find` passes over it.
    this.#index.add(fingerprintOf(apiKeyId, key), id);
  }

  /** Forgets up to `limit` requests made before `createdBefore`; returns how many went. */
  prune(createdBefore: number, limit: number): number {
    const aged = this.#sql.oldest.all(limit).filter((row) => row.createdAt < createdBefore);
    for (const { id } of aged) this.#sql.remove.run(id);
    return aged.length;
  }

  /** The next slice of the index is cleared of what `prune` has removed; see KeyIndex.prune. */
  pruneIndex(from: IndexEntry, limit: number): IndexEntry | null {
    return this.#index.prune(from, this.#sql.oldest.get(1)?.id ?? Number.MAX_SAFE_INTEGER, limit);
  }
}

function* indexEntries(sql: Statements, afterId: number): Generator<IndexEntry> {
  for (const { id, apiKeyId, key } of sql.after.iterate(afterId)) {
    yield { fingerprint: fingerprintOf(apiKeyId, key), requestId: id };
  }
}

/** xxHash64, a fixed algorithm: what is on disk stays valid. Cut to what a number holds exactly. */
function fingerprintOf(apiKeyId: number, key: string): number {
  return Number(Bun.hash.xxHash64(`${apiKeyId}:${key}`) >> 11n);
}
