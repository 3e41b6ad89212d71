/** What stays of messages that were deleted before the keys of their requests end: their Send results as registered. */
import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import { message, messageStub } from "./schema.ts";

const registered = ["trackingCode", "encoding", "characterCount", "partCount", "submittedAt", "sendAt"] as const;
const registeredColumns = columnsOf(message, "id", ...registered);

/** A message's part of a Send result, as registered. */
export type RegisteredMessage = RowOf<typeof registeredColumns>;

/** Which messages leave a stub. */
export interface StubPeriod {
  /** Epoch milliseconds: the keys of messages accepted earlier have ended. */
  since: number;
}

/** `?2` messages starting at `?1`. */
export const registeredRun = `SELECT ${registeredColumns} FROM message WHERE message.id >= ?1 AND message.id < ?1 + ?2`;

const prepare = (database: Database) => ({
  // A submit without a repeat key is never recognised again. Any other message may have come with a key: to know, each
  // acceptance would have to index its request by message.
  keep: database.prepare(
    `INSERT INTO message_stub
       (message_id, tracking_code, encoding, character_count, part_count, submitted_at, send_at, has_failed)
     SELECT id, tracking_code, encoding, character_count, part_count, submitted_at, send_at, state = 'failed' FROM message
     WHERE id = ?1 AND submitted_at >= ?2
       AND NOT EXISTS (SELECT 1 FROM smpp_submit WHERE message_id = ?1 AND repeat_key IS NULL)`,
  ),
  run: database.prepare<RegisteredMessage, [number, number]>(
    `${registeredRun} UNION ALL
     SELECT ${columnsOf(messageStub, "messageId", ...registered)} FROM message_stub
     WHERE message_id >= ?1 AND message_id < ?1 + ?2 ORDER BY id`,
  ),
  hasFailed: database.prepare<{ hasFailed: number }, [number]>(
    `SELECT ${columnsOf(messageStub, "hasFailed")} FROM message_stub WHERE message_id = ?`,
  ),
  prune: database.prepare(
    `DELETE FROM message_stub WHERE message_id IN (
       SELECT message_id FROM (SELECT message_id, submitted_at FROM message_stub ORDER BY message_id LIMIT ?2)
       WHERE submitted_at < ?1)`,
  ),
});

export class MessageStubTable {
  /** Prepared on first use: few installations delete messages before their keys. */
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  /** Call before the message is deleted, in the same transaction. */
  keep(messageId: number, { since }: StubPeriod): void {
    this.#sql().keep.run(messageId, since);
  }

  /** `count` consecutive messages as one request registered them, deleted ones included. */
  run(firstId: number, count: number): RegisteredMessage[] {
    return this.#sql().run.all(firstId, count);
  }

  /** True if the message failed before it was deleted. */
  hasFailed(messageId: number): boolean {
    return this.#sql().hasFailed.get(messageId)?.hasFailed === 1;
  }

  /** Of the oldest `limit`, removes those of messages accepted before `before`. Returns the number removed. Writes. */
  prune(before: number, limit: number): number {
    return this.#sql().prune.run(before, limit).changes;
  }
}
