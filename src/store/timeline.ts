/**
 * The timeline of a message for the operator: refusals, retries, uncertain outcomes, failover. The public history is in
 * the message row.
 */
import type { Database } from "bun:sqlite";
import { decodeReason, encodeReason, type Reason } from "../domain/reason.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { timeline } from "./schema.ts";

const columns = columnsOf(timeline, "at", "kind", "routeId", "detail");
type StoredEntry = RowOf<typeof columns>;

export interface TimelineEntry extends Omit<StoredEntry, "detail"> {
  reason: Reason;
}

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(timeline, "messageId", "at", "kind", "routeId", "detail")),
  ofMessage: database.prepare<StoredEntry, [number]>(
    `SELECT ${columns} FROM timeline WHERE message_id = ? ORDER BY id`,
  ),
});

export class TimelineTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  add(messageId: number, { at, kind, routeId, reason }: TimelineEntry): void {
    this.#sql.insert.run(messageId, at, kind, routeId, encodeReason(reason));
  }

  ofMessage(messageId: number): TimelineEntry[] {
    return this.#sql.ofMessage
      .all(messageId)
      .map(({ detail, ...entry }) => ({ ...entry, reason: decodeReason(detail) }));
  }
}
