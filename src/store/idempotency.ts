/** What each Idempotency-Key stands for. A row commits in the transaction of the messages that it names. */
import type { Database } from "bun:sqlite";

export interface IdempotencyRow {
  /** Method and path of the request, so that one key cannot stand for two operations. */
  operation: string;
  payloadHash: Uint8Array;
  /** The messages of the request lie in a row: `messageCount` of them from `firstMessageId` on. */
  firstMessageId: number;
  messageCount: number;
}

export type IdempotencyTable = ReturnType<typeof idempotencyTable>;

export function idempotencyTable(database: Database) {
  const find = database.prepare<IdempotencyRow, [number, string]>(
    `SELECT operation, payload_hash AS payloadHash, first_message_id AS firstMessageId, message_count AS messageCount
     FROM idempotency WHERE api_key_id = ? AND key = ?`,
  );
  const insertion = database.prepare(
    `INSERT INTO idempotency (api_key_id, key, operation, payload_hash, first_message_id, message_count, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const slice = database.prepare<{ apiKeyId: number; key: string; createdAt: number }, [number, string, number]>(
    `SELECT api_key_id AS apiKeyId, key, created_at AS createdAt FROM idempotency
     WHERE (api_key_id, key) > (?, ?) ORDER BY api_key_id, key LIMIT ?`,
  );
  const removal = database.prepare("DELETE FROM idempotency WHERE api_key_id = ? AND key = ?");

  return {
    find: (apiKeyId: number, key: string): IdempotencyRow | null => find.get(apiKeyId, key),
    insert(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
      const { operation, payloadHash, firstMessageId, messageCount } = row;
      insertion.run(apiKeyId, key, operation, payloadHash, firstMessageId, messageCount, createdAt);
    },
    /**
     * Forgets what is older than `createdBefore` among the next `limit` keys after `from`; returns where to go on,
     * or null at the end. An index by age would cost every acceptance; a slow walk over the keys costs nobody.
     */
    prune(from: { apiKeyId: number; key: string }, createdBefore: number, limit: number) {
      const rows = slice.all(from.apiKeyId, from.key, limit);
      for (const row of rows) if (row.createdAt < createdBefore) removal.run(row.apiKeyId, row.key);
      const last = rows.at(-1);
      return rows.length < limit || last === undefined ? null : { apiKeyId: last.apiKeyId, key: last.key };
    },
  };
}
