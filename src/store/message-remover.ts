/**
 * Removes messages and everything that belongs to them. The newest stays as an empty row, so that its id is never
 * reused.
 */
import type { Database } from "bun:sqlite";
import type { MessageStubTable, StubPeriod } from "./message-stubs.ts";

const prepare = (database: Database) => ({
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM message"),
  removeParts: database.prepare("DELETE FROM part WHERE message_id = ?"),
  removeTimeline: database.prepare("DELETE FROM timeline WHERE message_id = ?"),
  removeTemplate: database.prepare("DELETE FROM message_template WHERE message_id = ?"),
  removeTlvs: database.prepare("DELETE FROM message_tlvs WHERE message_id = ?"),
  removeCallback: database.prepare("DELETE FROM message_callback WHERE message_id = ?"),
  remove: database.prepare("DELETE FROM message WHERE id = ?"),
  empty: database.prepare("UPDATE message SET recipient = '', text = '', client_reference = NULL WHERE id = ?"),
});

export class MessageRemover {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #stubs: MessageStubTable;

  constructor(database: Database, stubs: MessageStubTable) {
    this.#sql = prepare(database);
    this.#stubs = stubs;
  }

  /**
   * Returns the number of rows removed. SQLite reuses the highest id once its row is gone, while cursors, the search
   * index and the confirmations of suppressed numbers may still refer to it.
   */
  remove(ids: readonly number[], stubs: StubPeriod): number {
    const newest = ids.length === 0 ? null : this.#sql.newest.get()?.id;
    let removed = 0;
    for (const id of ids) {
      this.#sql.removeParts.run(id);
      this.#sql.removeTimeline.run(id);
      this.#sql.removeTemplate.run(id);
      this.#sql.removeTlvs.run(id);
      this.#sql.removeCallback.run(id);
      if (id === newest) this.#sql.empty.run(id);
      else {
        this.#stubs.keep(id, stubs);
        removed += this.#sql.remove.run(id).changes;
      }
    }
    return removed;
  }
}
