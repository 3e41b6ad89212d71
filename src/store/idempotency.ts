/** Requests by Idempotency-Key. A row commits in the transaction of the messages that it names. */
import type { Database } from "bun:sqlite";
import { AppendedRows } from "./appended-rows.ts";
import { columnsOf, insertInto, insertRowsInto, type RowOf } from "./columns.ts";
import { KeyedFingerprint, unkeyedFingerprint } from "./key-fingerprint.ts";
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
const runColumns = columnsOf(acceptedRequest, "firstMessageId", "apiKeyId", "messageCount");
const ageColumns = columnsOf(acceptedRequest, "id", "createdAt");

type RequestRow = RowOf<typeof columns>;

/**
 * `operation`: method and path, so that one key cannot stand for two operations. The messages of the request follow each other:
 * `messageCount` of them from `firstMessageId` on.
 */
export type IdempotencyRow = Omit<RequestRow, "apiKeyId" | "key">;

/** Whose messages they are: `messageCount` of them from `firstMessageId` on. */
export type RequestRun = RowOf<typeof runColumns>;

export interface RequestSlice {
  runs: RequestRun[];
  /** Where to go on; null at the end. */
  nextId: number | null;
}

export interface IdempotencyOptions {
  write<T>(change: () => T): Promise<T>;
  /** Requests found in memory before they are merged into the index on disk; for tests. */
  freshMax?: number;
}

const insertedKeys = [
  "id",
  "firstMessageId",
  "apiKeyId",
  "key",
  "operation",
  "payloadHash",
  "messageCount",
  "createdAt",
] as const;

const prepare = (database: Database) => ({
  byId: database.prepare<RequestRow, [number]>(`SELECT ${columns} FROM request WHERE id = ?`),
  insert: database.prepare(insertInto(acceptedRequest, ...insertedKeys)),
  after: database.prepare<RowOf<typeof keyColumns>, [number]>(
    `SELECT ${keyColumns} FROM request WHERE id > ? ORDER BY id`,
  ),
  runsOf: database.prepare<RequestRun, [number, number, string]>(
    `SELECT ${runColumns} FROM request
     WHERE id > ? AND id <= ? AND api_key_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  ),
  oldest: database.prepare<RowOf<typeof ageColumns>, [number]>(`SELECT ${ageColumns} FROM request ORDER BY id LIMIT ?`),
  remove: database.prepare("DELETE FROM request WHERE id = ?"),
  secret: database.prepare<{ secret: string }, []>("SELECT secret FROM request_index_secret"),
  unkeyedTo: database.prepare<{ id: number }, []>("SELECT unkeyed_to AS id FROM request_index_state"),
  // One statement: a row in JavaScript for each request that shares a fingerprint cost 20 µs.
  unkeyed: database.prepare<RequestRow, [number, number, number, string]>(
    `SELECT ${columns} FROM request_index CROSS JOIN request ON request.id = request_index.request_id
     WHERE request_index.fingerprint = ? AND request_index.request_id <= ? AND request.api_key_id = ? AND request.key = ?`,
  ),
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM request"),
});

type Statements = ReturnType<typeof prepare>;

export class IdempotencyTable {
  readonly #sql: Statements;
  readonly #index: KeyIndex;
  readonly #fingerprint: KeyedFingerprint;
  /** Requests up to this id were indexed without the secret; 0 where all of them are forgotten by now. */
  readonly #unkeyedTo: number;
  #lastId: number;
  /** Requests of the present transaction that are not in the table yet. */
  readonly appended: AppendedRows;

  constructor(database: Database, options: IdempotencyOptions) {
    const sql = prepare(database);
    this.#sql = sql;
    const fingerprint = new KeyedFingerprint(secretIn(sql));
    this.#fingerprint = fingerprint;
    this.appended = new AppendedRows(database, insertedKeys.length, (rows) =>
      insertRowsInto(acceptedRequest, insertedKeys, rows),
    );
    this.#index = new KeyIndex(database, {
      ...options,
      isStored: (id) => sql.byId.get(id) !== null,
      unmerged: (afterId) => indexEntries(sql, fingerprint, afterId),
    });
    // Counted here: SQLite would begin anew once retention has emptied the table, below what the index calls merged. What is
    // rolled back leaves a gap, which harms nothing.
    this.#lastId = Math.max(sql.newest.get()?.id ?? 0, this.#index.mergedTo());
    const unkeyedTo = sql.unkeyedTo.get()?.id ?? 0;
    this.#unkeyedTo = this.#oldestId() > unkeyedTo ? 0 : unkeyedTo;
  }

  find(apiKeyId: number, key: string): IdempotencyRow | null {
    const found = this.#index.find(this.#fingerprint.of(apiKeyId, key), (id) => {
      this.appended.flush();
      const row = this.#sql.byId.get(id);
      return row !== null && row.apiKeyId === apiKeyId && row.key === key ? row : null;
    });
    return found ?? (this.#unkeyedTo === 0 ? null : this.#findUnkeyed(apiKeyId, key));
  }

  insert(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
    this.#sql.insert.run(...this.#valuesOf(apiKeyId, key, row, createdAt));
  }

  /** The same in `Store.append`. */
  append(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
    this.appended.add(this.#valuesOf(apiKeyId, key, row, createdAt));
  }

  /** What came with these keys among the `limit` requests after `afterId`. */
  runsOf(apiKeyIds: readonly number[], afterId: number, limit: number): RequestSlice {
    const from = Math.max(afterId, this.#oldestId() - 1);
    const runs = this.#sql.runsOf.all(from, from + limit, JSON.stringify(apiKeyIds));
    return { runs, nextId: from + limit < this.#lastId ? from + limit : null };
  }

  /** Forgets up to `limit` requests made before `createdBefore`; returns how many went. */
  prune(createdBefore: number, limit: number): number {
    const aged = this.#sql.oldest.all(limit).filter((row) => row.createdAt < createdBefore);
    for (const { id } of aged) this.#sql.remove.run(id);
    return aged.length;
  }

  /** Reads a slice of the index, so that a new key need not be looked for on disk; false when all of it is read. */
  readIndexSlice(): boolean {
    return this.#index.readSlice();
  }

  /** The next slice of the index is cleared of what `prune` has removed; see KeyIndex.prune. */
  pruneIndex(from: IndexEntry, limit: number): IndexEntry | null {
    return this.#index.prune(from, this.#oldestId(), limit);
  }

  /** Of `insertedKeys`, under the next id, by which the index finds the request from now on. */
  #valuesOf(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number) {
    const { operation, payloadHash, firstMessageId, messageCount } = row;
    this.#lastId += 1;
    const id = this.#lastId;
    // Should the transaction be undone, the index names a row that is not there, and `find` passes over it.
    this.#index.add(this.#fingerprint.of(apiKeyId, key), id);
    return [id, firstMessageId, apiKeyId, key, operation, payloadHash, messageCount, createdAt] as const;
  }

  #findUnkeyed(apiKeyId: number, key: string): IdempotencyRow | null {
    const fingerprint = unkeyedFingerprint(apiKeyId, key);
    if (!this.#index.mayBeOnDisk(fingerprint)) return null;
    return this.#sql.unkeyed.get(fingerprint, this.#unkeyedTo, apiKeyId, key);
  }

  /** Of the requests that are remembered. */
  #oldestId(): number {
    return this.#sql.oldest.get(1)?.id ?? Number.MAX_SAFE_INTEGER;
  }
}

function secretIn(sql: Statements): string {
  const row = sql.secret.get();
  if (row === null) throw new Error("The database has no secret for its Idempotency-Keys");
  return row.secret;
}

function* indexEntries(sql: Statements, fingerprint: KeyedFingerprint, afterId: number): Generator<IndexEntry> {
  for (const { id, apiKeyId, key } of sql.after.iterate(afterId)) {
    yield { fingerprint: fingerprint.of(apiKeyId, key), requestId: id };
  }
}
