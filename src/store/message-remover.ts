/** Removes messages with what hangs on them. The newest of all stays as an empty row, so that its id is never given again. */
import type { Database } from "bun:sqlite";

const prepare = (database: Database) => ({
  newest: database.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM message"),
  removeParts: database.prepare("DELETE FROM part WHERE message_id = ?"),
  removeTimeline: database.prepare("DELETE FROM timeline WHERE message_id = ?"),
  removeTemplate: database.prepare("DELETE FROM message_template WHERE message_id = ?"),
  remove: database.prepare("DELETE FROM message WHERE id = ?"),
  empty: database.prepare("UPDATE message SET recipient = '', text = '', client_reference = NULL WHERE id = ?"),
});

export class MessageRemover {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /**
   * Returns how many rows went. SQLite gives the highest id again once its row is gone, and cursors, the search index and the
   * confirmations of suppressed numbers may still name it.
   */
  remove(ids: readonly number[]): number {
    const newest = ids.length === 0 ? null : this.#sql.newest.get()?.id;
    let removed = 0;
    for (const id of ids) {
      this.#sql.removeParts.run(id);
      this.#sql.removeTimeline.run(id);
      this.#sql.removeTemplate.run(id);
      if (id === newest) this.#sql.empty.run(id);
      else removed += this.#sql.remove.run(id).changes;
    }
    return removed;
  }
}
