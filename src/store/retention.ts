/** Forgetting: old messages go in small batches, each a transaction of its own, so that nobody waits for it. */
import type { Database } from "bun:sqlite";
import type { MessageState } from "../domain/message.ts";

interface Aged {
  id: number;
  state: MessageState;
  submittedAt: number;
}

export type RetentionTable = ReturnType<typeof retentionTable>;

/** What still has a way to go is kept, however old: a network that never reports leaves `submitted` for good. */
const forgettable: ReadonlySet<MessageState> = new Set(["submitted", "delivered", "failed", "cancelled"]);

export function retentionTable(database: Database) {
  const oldest = database.prepare<Aged, [number, number]>(
    "SELECT id, state, submitted_at AS submittedAt FROM message WHERE id > ? ORDER BY id LIMIT ?",
  );
  const removals = ["DELETE FROM part WHERE message_id = ?", "DELETE FROM timeline WHERE message_id = ?"].map((sql) =>
    database.prepare(sql),
  );
  const removal = database.prepare("DELETE FROM message WHERE id = ?");
  // Gives pages at the file's end back to the disk; without it the file would only ever grow.
  const vacuum = database.prepare("PRAGMA incremental_vacuum(200)");

  return {
    /**
     * Looks at the next `limit` messages after `afterId` and removes those accepted before `before`.
     * Returns where to go on, or null when the rest is younger.
     */
    prune(afterId: number, before: number, limit: number): { nextId: number | null; removed: number } {
      const rows = oldest.all(afterId, limit);
      const aged = rows.filter((row) => row.submittedAt < before);
      const gone = aged.filter((row) => forgettable.has(row.state));
      for (const { id } of gone) {
        for (const statement of removals) statement.run(id);
        removal.run(id);
      }
      const more = rows.length === limit && aged.length === rows.length;
      return { nextId: more ? (rows.at(-1)?.id ?? null) : null, removed: gone.length };
    },

    /** Returns free pages to the disk. Outside of a transaction only. */
    giveBackPages(): void {
      vacuum.all();
    },
  };
}
