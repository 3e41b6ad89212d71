/**
 * Callbacks that were requested with messages: which steps each wants, and where; the URLs are sealed. They are removed
 * with their messages.
 */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { messageCallback } from "./schema.ts";

const columns = columnsOf(messageCallback, "messageId", "webhookId", "protocol", "mask", "sealed");

export type MessageCallbackRow = RowOf<typeof columns>;

const prepare = (database: Database) => ({
  insert: database.prepare(insertInto(messageCallback, "messageId", "webhookId", "protocol", "mask", "sealed")),
  of: database.prepare<MessageCallbackRow, [number]>(`SELECT ${columns} FROM message_callback WHERE message_id = ?`),
});

export class MessageCallbackTable {
  /** Prepared on first use: few installations need it. */
  readonly #sql: () => ReturnType<typeof prepare>;
  #isUsed: boolean | null = null;

  constructor(private readonly database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  /** True if any stored message has one; checked at every status change. */
  get isUsed(): boolean {
    this.#isUsed ??= this.database.query("SELECT 1 FROM message_callback LIMIT 1").get() !== null;
    return this.#isUsed;
  }

  /** Also callable in `Store.append`. */
  insert({ messageId, webhookId, protocol, mask, sealed }: MessageCallbackRow): void {
    this.#isUsed = true;
    this.#sql().insert.run(messageId, webhookId, protocol, mask, sealed);
  }

  of(messageId: number): MessageCallbackRow | null {
    return this.isUsed ? this.#sql().of.get(messageId) : null;
  }
}
