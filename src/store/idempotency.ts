/** What each Idempotency-Key stands for. A row commits in the transaction of the messages that it names. */
import type { Database } from "bun:sqlite";
import { keyIndex } from "./key-index.ts";

export interface IdempotencyRow {
  /** Method and path of the request, so that one key cannot stand for two operations. */
  operation: string;
  payloadHash: Uint8Array;
  /** The messages of the request lie in a row: `messageCount` of them from `firstMessageId` on. */
  firstMessageId: number;
  messageCount: number;
}

interface StoredRow extends IdempotencyRow {
  apiKeyId: number;
  key: string;
}

export interface IdempotencyOptions {
  write<T>(change: () => T): Promise<T>;
  /** Requests found in memory before they are merged into the index on disk; for tests. */
  freshMax?: number;
}

/** xxHash64, a fixed algorithm: what is on disk stays valid. Cut to what a number holds exactly. */
function fingerprintOf(apiKeyId: number, key: string): number {
  return Number(Bun.hash.xxHash64(`${apiKeyId}:${key}`) >> 11n);
}

export type IdempotencyTable = ReturnType<typeof idempotencyTable>;

export function idempotencyTable(database: Database, options: IdempotencyOptions) {
  const byId = database.prepare<StoredRow, [number]>(
    `SELECT first_message_id AS firstMessageId, api_key_id AS apiKeyId, key, operation, payload_hash AS payloadHash,
       message_count AS messageCount FROM request WHERE id = ?`,
  );
  const insertion = database.prepare(
    `INSERT INTO request (id, first_message_id, api_key_id, key, operation, payload_hash, message_count, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const after = database.prepare<{ id: number; apiKeyId: number; key: string }, [number]>(
    "SELECT id, api_key_id AS apiKeyId, key FROM request WHERE id > ? ORDER BY id",
  );
  const oldest = database.prepare<{ id: number; createdAt: number }, [number]>(
    "SELECT id, created_at AS createdAt FROM request ORDER BY id LIMIT ?",
  );
  const removal = database.prepare("DELETE FROM request WHERE id = ?");
  const newest = database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM request");

  const index = keyIndex(database, {
    ...options,
    isStored: (id) => byId.get(id) !== null,
    *unmerged(afterId) {
      for (const { id, apiKeyId, key } of after.iterate(afterId)) {
        yield { fingerprint: fingerprintOf(apiKeyId, key), requestId: id };
      }
    },
  });

  // Counted here: SQLite would begin anew once retention has emptied the table, below what the index calls merged. What is
  // rolled back leaves a gap, which harms nobody.
  let lastId = Math.max(newest.get()?.id ?? 0, index.mergedTo());

  return {
    find(apiKeyId: number, key: string): IdempotencyRow | null {
      return index.find(fingerprintOf(apiKeyId, key), (id) => {
        const row = byId.get(id);
        return row !== null && row.apiKeyId === apiKeyId && row.key === key ? row : null;
      });
    },

    insert(apiKeyId: number, key: string, row: IdempotencyRow, createdAt: number): void {
      const { operation, payloadHash, firstMessageId, messageCount } = row;
      lastId += 1;
      insertion.run(lastId, firstMessageId, apiKeyId, key, operation, payloadHash, messageCount, createdAt);
      // Should the transaction be undone, the index names a row that is not there, and `find` passes over it.
      index.add(fingerprintOf(apiKeyId, key), lastId);
    },

    /** Forgets up to `limit` requests made before `createdBefore`; returns how many went. */
    prune(createdBefore: number, limit: number): number {
      const aged = oldest.all(limit).filter((row) => row.createdAt < createdBefore);
      for (const { id } of aged) removal.run(id);
      return aged.length;
    },

    /** The next slice of the index is cleared of what `prune` has removed; see KeyIndex.prune. */
    pruneIndex(from: { fingerprint: number; requestId: number }, limit: number) {
      return index.prune(from, oldest.get(1)?.id ?? Number.MAX_SAFE_INTEGER, limit);
    },
  };
}
