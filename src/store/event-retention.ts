/** Forgetting events: the old ones go in slices, with their deliveries and attempts, whatever state these are in. */
import type { Database } from "bun:sqlite";

export type EventRetentionTable = ReturnType<typeof eventRetentionTable>;

export function eventRetentionTable(database: Database) {
  // The newest event stays: SQLite gives the highest row id again once its row is gone, and a webhook that was switched off
  // remembers up to which delivery it stopped.
  const oldest = database.prepare<{ id: number; accountId: number; createdAt: number }, [number, number]>(
    `SELECT id, account_id AS accountId, created_at AS createdAt FROM event
     WHERE id > ?1 AND id < (SELECT max(id) FROM event) ORDER BY id LIMIT ?2`,
  );
  const deliveries = `webhook_id IN (SELECT id FROM webhook WHERE account_id = ?1) AND event_id = ?2`;
  const attempts = database.prepare<null, [number, number]>(
    `DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM delivery WHERE ${deliveries})`,
  );
  const removals = database.prepare<null, [number, number]>(`DELETE FROM delivery WHERE ${deliveries}`);
  const removal = database.prepare<null, [number]>("DELETE FROM event WHERE id = ?");

  return {
    /** Of the next `limit` events after `afterId`, removes those created before `before`; `nextId` is null at the end. */
    prune(afterId: number, before: number, limit: number): { nextId: number | null; removed: number } {
      const rows = oldest.all(afterId, limit);
      const aged = rows.filter(({ createdAt }) => createdAt < before);
      for (const { id, accountId } of aged) {
        attempts.run(accountId, id);
        removals.run(accountId, id);
        removal.run(id);
      }
      const goesOn = rows.length === limit && aged.length > 0;
      return { nextId: goesOn ? (rows.at(-1)?.id ?? null) : null, removed: aged.length };
    },
  };
}
