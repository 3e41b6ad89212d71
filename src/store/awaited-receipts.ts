/** Messages without a receipt on routes that can ask the carrier for one, by when to ask next. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto } from "./columns.ts";
import { awaitedReceipt } from "./schema.ts";

/** `dueAt`: epoch milliseconds; `asked`: how many times the carrier was asked. */
export type AwaitedReceiptRow = typeof awaitedReceipt.$inferSelect;

const columns = columnsOf(awaitedReceipt);

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(awaitedReceipt, "routeId", "dueAt", "messageId", "asked")),
  due: database.prepare<AwaitedReceiptRow, [number, number, number]>(
    `SELECT ${columns} FROM awaited_receipt WHERE route_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`,
  ),
  remove: database.prepare("DELETE FROM awaited_receipt WHERE route_id = ? AND due_at = ? AND message_id = ?"),
  routes: database.prepare<{ routeId: number }, []>("SELECT DISTINCT route_id AS routeId FROM awaited_receipt"),
  forget: database.prepare(
    `DELETE FROM awaited_receipt WHERE (route_id, due_at, message_id) IN
       (SELECT route_id, due_at, message_id FROM awaited_receipt WHERE route_id = ? LIMIT ?)`,
  ),
});

export class AwaitedReceiptTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  insert({ routeId, dueAt, messageId, asked }: AwaitedReceiptRow): void {
    this.#sql.insert.run(routeId, dueAt, messageId, asked);
  }

  /** Messages of a route that are due by `at`, longest waiting first. */
  due(routeId: number, at: number, limit: number): AwaitedReceiptRow[] {
    return this.#sql.due.all(routeId, at, limit);
  }

  remove({ routeId, dueAt, messageId }: AwaitedReceiptRow): void {
    this.#sql.remove.run(routeId, dueAt, messageId);
  }

  routeIds(): number[] {
    return this.#sql.routes.all().map(({ routeId }) => routeId);
  }

  /** Removes up to `limit` rows of a route. Returns the number removed. */
  forget(routeId: number, limit: number): number {
    return this.#sql.forget.run(routeId, limit).changes;
  }
}
