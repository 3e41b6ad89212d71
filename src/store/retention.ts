/** Removes old messages in small slices, each in its own transaction, so that no other write waits long. */
import type { Database } from "bun:sqlite";
import type { MessageState } from "../domain/message.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import type { MessageRemover } from "./message-remover.ts";
import type { StubPeriod } from "./message-stubs.ts";
import { message } from "./schema.ts";

const agedColumns = columnsOf(message, "id", "state", "submittedAt", "sendAt", "updatedAt");
type AgedMessage = RowOf<typeof agedColumns>;

const forgettable: ReadonlySet<MessageState> = new Set(["submitted", "delivered", "failed", "cancelled"]);

/**
 * A message that can still change is kept, however old, and a scheduled one counts from its send time. If a carrier
 * never reports, a message stays `submitted` for good: it is removed after as long without news as others are kept.
 */
export function isForgettable(
  { state, sendAt, updatedAt }: Pick<AgedMessage, "state" | "sendAt" | "updatedAt">,
  before: number,
): boolean {
  const aged = (sendAt ?? 0) < before && (state !== "submitted" || updatedAt < before);
  return aged && forgettable.has(state);
}

const prepare = (database: Database) => ({
  oldest: database.prepare<AgedMessage, [number, number]>(
    `SELECT ${agedColumns} FROM message WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  // Returns pages at the end of the file to the disk; without it the file would only grow.
  vacuum: database.prepare("PRAGMA incremental_vacuum(200)"),
});

export class RetentionTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #messages: MessageRemover;

  constructor(database: Database, messages: MessageRemover) {
    this.#sql = prepare(database);
    this.#messages = messages;
  }

  /**
   * Checks the next `limit` messages after `afterId` and removes those accepted before `before`. Returns where to
   * continue, or null when the rest are younger.
   */
  prune(afterId: number, before: number, limit: number, stubs: StubPeriod): { nextId: number | null; removed: number } {
    const rows = this.#sql.oldest.all(afterId, limit);
    const aged = rows.filter((row) => row.submittedAt < before);
    const forgotten = aged.filter((row) => isForgettable(row, before)).map(({ id }) => id);
    const removed = this.#messages.remove(forgotten, stubs);
    const more = rows.length === limit && aged.length === rows.length;
    return { nextId: more ? (rows.at(-1)?.id ?? null) : null, removed };
  }

  /** Returns some free pages to the disk. */
  giveBackPages(): void {
    this.#sql.vacuum.all();
  }
}
