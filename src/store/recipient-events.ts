/** Events and callbacks about a message: finds them by tracking code and erases them. */
import type { Database } from "bun:sqlite";
import { columnsOf, type RowOf } from "./columns.ts";
import { event } from "./schema.ts";

const eventColumns = columnsOf(event, "id", "accountId", "kind", "body", "createdAt");
export type RecipientEvent = RowOf<typeof eventColumns>;

const prepare = (database: Database) => ({
  of: database.prepare<RecipientEvent, [string]>(`SELECT ${eventColumns} FROM event WHERE subject = ?`),
  newestEvent: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM event"),
  deliveries: database.prepare<{ id: number }, [number, number]>(
    "SELECT id FROM delivery WHERE webhook_id IN (SELECT id FROM webhook WHERE account_id = ?) AND event_id = ?",
  ),
  removeAttempts: database.prepare("DELETE FROM attempt WHERE delivery_id = ?"),
  endDelivery: database.prepare(
    "UPDATE delivery SET state = 'stopped', due_at = NULL, ended_at = ?2 WHERE id = ?1 AND state IN ('waiting', 'held')",
  ),
  newestDelivery: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM delivery"),
  removeDelivery: database.prepare("DELETE FROM delivery WHERE id = ?"),
  removeEvent: database.prepare("DELETE FROM event WHERE id = ?"),
  blankEvent: database.prepare("UPDATE event SET subject = NULL, body = '{}' WHERE id = ?"),
});

export class RecipientEvents {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  of(trackingCode: string): RecipientEvent[] {
    return this.#sql.of.all(trackingCode);
  }

  /**
   * The newest delivery and the newest event stay as empty rows: their ids must never be reused (see
   * event-retention.ts).
   */
  erase(trackingCode: string, at: number): void {
    const newestEvent = this.#sql.newestEvent.get()?.id;
    const newestDelivery = this.#sql.newestDelivery.get()?.id;
    for (const { id, accountId } of this.of(trackingCode)) {
      let isKept = id === newestEvent;
      for (const delivery of this.#sql.deliveries.all(accountId, id)) {
        this.#sql.removeAttempts.run(delivery.id);
        isKept ||= delivery.id === newestDelivery;
        if (delivery.id === newestDelivery) this.#sql.endDelivery.run(delivery.id, at);
        else this.#sql.removeDelivery.run(delivery.id);
      }
      if (isKept) this.#sql.blankEvent.run(id);
      else this.#sql.removeEvent.run(id);
    }
  }
}
