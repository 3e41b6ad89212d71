/** Requests by Idempotency-Key. A row commits in the transaction of the messages it names. */
import type { Database } from "bun:sqlite";
import { AppendedRows } from "./appended-rows.ts";
import { columnsOf, insertInto, insertRowsInto, type RowOf } from "./columns.ts";
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
 * `operation`: method and path, so that one key cannot stand for two operations. The request's messages are
 * consecutive: `messageCount` of them, starting at `firstMessageId`.
 */
export type IdempotencyRow = Omit<RequestRow, "apiKeyId" | "key">;

/** The messages of a request: `messageCount` of them, starting at `firstMessageId`. */
export type RequestRun = RowOf<typeof runColumns>;

export interface RequestSlice {
  runs: RequestRun[];
  /** Where to continue; null at the end. */
  nextId: number | null;
}

export interface IdempotencyOptions {
  write<T>(change: () => T): Promise<T>;
  /** The Send results of a request, which older versions deleted with its messages. */
  messages: { run(firstId: number, count: number): readonly object[] };
  /** Requests kept in memory before they are merged into the index on disk; for tests. */
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
  // One statement: reading each request that shares a fingerprint into JavaScript cost 20 µs a row.
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
  readonly #messages: IdempotencyOptions["messages"];
  /** Requests up to this id were indexed without the secret; 0 once all of them are gone. */
  readonly #unkeyedTo: number;
  #lastId: number;
  /** Requests of the current transaction that are not in the table yet. */
  readonly appended: AppendedRows;

  constructor(database: Database, { messages, ...options }: IdempotencyOptions) {
    const sql = prepare(database);
    this.#sql = sql;
    this.#messages = messages;
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
    // Counted here: SQLite would restart below what the index calls merged once retention has emptied the table. A
    // rollback leaves a harmless gap.
    this.#lastId = Math.max(sql.newest.get()?.id ?? 0, this.#index.mergedTo());
    const unkeyedTo = sql.unkeyedTo.get()?.id ?? 0;
    this.#unkeyedTo = this.#oldestId() > unkeyedTo ? 0 : unkeyedTo;
  }

  /** A key of which no Send result is left, as older versions deleted them, is free again. */
  find(apiKeyId: number, key: string): IdempotencyRow | null {
    const found = this.#index.find(this.#fingerprint.of(apiKeyId, key), (id) => {
      this.appended.flush();
      const row = this.#sql.byId.get(id);
      return row !== null && row.apiKeyId === apiKeyId && row.key === key ? this.#ifKept(row) : null;
    });
    return found ?? (this.#unkeyedTo === 0 ? null : this.#findUnkeyed(apiKeyId, key));
  }

  insert(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
    this.#sql.insert.run(...this.#valuesOf(apiKeyId, key, row, createdAt));
  }

  /** Like `insert`, for use in `Store.append`. */
  append(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
    this.appended.add(this.#valuesOf(apiKeyId, key, row, createdAt));
  }

  /** The runs of requests with these keys, among the `limit` requests after `afterId`. */
  runsOf(apiKeyIds: readonly number[], afterId: number, limit: number): RequestSlice {
    const from = Math.max(afterId, this.#oldestId() - 1);
    const runs = this.#sql.runsOf.all(from, from + limit, JSON.stringify(apiKeyIds));
    return { runs, nextId: from + limit < this.#lastId ? from + limit : null };
  }

  /** Removes up to `limit` requests made before `createdBefore`. Returns the number removed. */
  prune(createdBefore: number, limit: number): number {
    const aged = this.#sql.oldest.all(limit).filter((row) => row.createdAt < createdBefore);
    for (const { id } of aged) this.#sql.remove.run(id);
    return aged.length;
  }

  /** Reads a slice of the index, so that a new key need not be looked up on disk; false once all of it is read. */
  readIndexSlice(): boolean {
    return this.#index.readSlice();
  }

  /** Clears the next slice of the index of what `prune` has removed; see KeyIndex.prune. */
  pruneIndex(from: IndexEntry, limit: number): IndexEntry | null {
    return this.#index.prune(from, this.#oldestId(), limit);
  }

  /** The same of the lots of the index; false once nothing is left to remove. */
  pruneLots(limit: number): boolean {
    return this.#index.dropLots(this.#oldestId(), limit);
  }

  /** The values of `insertedKeys` under the next id, which the index maps the key to from now on. */
  #valuesOf(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number) {
    const { operation, payloadHash, firstMessageId, messageCount } = row;
    this.#lastId += 1;
    const id = this.#lastId;
    // If the transaction is rolled back, the index names a row that does not exist, and `find` skips it.
    this.#index.add(this.#fingerprint.of(apiKeyId, key), id);
    return [id, firstMessageId, apiKeyId, key, operation, payloadHash, messageCount, createdAt] as const;
  }

  #findUnkeyed(apiKeyId: number, key: string): IdempotencyRow | null {
    const fingerprint = unkeyedFingerprint(apiKeyId, key);
    if (!this.#index.mayBeOnDisk(fingerprint)) return null;
    return this.#ifKept(this.#sql.unkeyed.get(fingerprint, this.#unkeyedTo, apiKeyId, key));
  }

  #ifKept(row: RequestRow | null): RequestRow | null {
    return row !== null && this.#messages.run(row.firstMessageId, 1).length > 0 ? row : null;
  }

  /** The oldest id that is still stored. */
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

/**
 * SHA-256 keyed with a secret of the database, so that nobody else can construct keys that share a fingerprint. With
 * the previous unkeyed hash, thousands of such keys took seconds to make, and each cost every later one a row to read.
 */
export class KeyedFingerprint {
  readonly #secret: string;
  readonly #hash = new Uint8Array(32);
  readonly #view = new DataView(this.#hash.buffer);
  #apiKeyId = 0;
  #key = "";
  #fingerprint = Number.NaN;

  /**
   * `secret` has a fixed length; otherwise two different pairs of secret and key could concatenate to the same text.
   */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Remembers the last result: a key is looked up just before it is stored. */
  of(apiKeyId: number, key: string): number {
    if (key === this.#key && apiKeyId === this.#apiKeyId) return this.#fingerprint;
    Bun.SHA256.hash(`${this.#secret}${apiKeyId}:${key}`, this.#hash);
    this.#apiKeyId = apiKeyId;
    this.#key = key;
    this.#fingerprint = this.#view.getUint32(0) * 2 ** 21 + (this.#view.getUint32(4) >>> 11);
    return this.#fingerprint;
  }
}

/** The fingerprint used before the secret was introduced: xxHash64, cut to the same length. */
export function unkeyedFingerprint(apiKeyId: number, key: string): number {
  return Number(Bun.hash.xxHash64(`${apiKeyId}:${key}`) >> 11n);
}
