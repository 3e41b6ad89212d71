/** Removes old events in slices, with their deliveries and attempts, whatever their state. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import type { OutboxTable } from "./outbox.ts";
import { event } from "./schema.ts";

const eventColumns = columnsOf(event, "id", "accountId", "createdAt");
const deliveriesOfEvent = "webhook_id IN (SELECT id FROM webhook WHERE account_id = ?1) AND event_id = ?2";

const prepare = (database: Database) => ({
  // The newest event stays: SQLite reuses the highest row id once its row is gone, and a webhook that was switched off
  // remembers the last delivery it stopped.
  oldest: database.prepare<RowOf<typeof eventColumns>, [number, number]>(
    `SELECT ${eventColumns} FROM event WHERE id > ?1 AND id < (SELECT max(id) FROM event) ORDER BY id LIMIT ?2`,
  ),
  removeAttempts: database.prepare<null, [number, number]>(
    `DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM delivery WHERE ${deliveriesOfEvent})`,
  ),
  removeDeliveries: database.prepare<null, [number, number]>(`DELETE FROM delivery WHERE ${deliveriesOfEvent}`),
  removeEvent: database.prepare<null, [number]>("DELETE FROM event WHERE id = ?"),
});

export class EventRetentionTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(
    database: Database,
    private readonly outbox: OutboxTable,
  ) {
    this.#sql = prepare(database);
  }

  /** Of the next `limit` events after `afterId`, removes those created before `before`; `nextId` is null at the end. */
  prune(afterId: number, before: number, limit: number): { nextId: number | null; removed: number } {
    const rows = this.#sql.oldest.all(afterId, limit);
    const aged = rows.filter(({ createdAt }) => createdAt < before);
    for (const { id, accountId } of aged) {
      // Younger events may wait behind it, for a receiver of a suspended account for as long as that lasts.
      this.outbox.stopEvent(accountId, id, before);
      this.#sql.removeAttempts.run(accountId, id);
      this.#sql.removeDeliveries.run(accountId, id);
      this.#sql.removeEvent.run(id);
    }
    const more = rows.length === limit && aged.length > 0;
    return { nextId: more ? (rows.at(-1)?.id ?? null) : null, removed: aged.length };
  }
}
