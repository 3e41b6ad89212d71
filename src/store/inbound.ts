/**
 * Complete inbound messages: stored as soon as they are complete, available once a line maps their receiver to an
 * account.
 */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { inbound } from "./schema.ts";

/**
 * `text` is empty if the message had no text, `octets` is null for a text, and `partsReceived` is lower than
 * `partCount` if some parts did not arrive in time. `accountId`, `position` and `availableAt` are null until the
 * message is available; `position` is 1 for the account's first available message, then counts up in commit order.
 */
export type InboundRow = typeof inbound.$inferSelect;

export type NewInbound = Omit<InboundRow, "id" | "accountId" | "position" | "availableAt">;

const columns = columnsOf(inbound);
const availableColumns = columnsOf(inbound, "trackingCode", "sender", "receiver", "receivedAt");

/** A message that an account can read. */
export interface AvailableInbound extends RowOf<typeof availableColumns> {
  accountId: number;
  position: number;
  message: string;
}

/** Called for every message that becomes available, inside that transaction. It may write, and must do nothing else. */
export type InboundListener = (inbound: AvailableInbound) => void;

/** A match satisfies every given condition. `from` (inclusive) and `to` (exclusive) apply to `receivedAt`. */
export interface InboxFilter {
  sender: string | null;
  receiver: string | null;
  from: number | null;
  to: number | null;
}

/** No account has this id. Its counter provides the row ids, so that none is reused after the newest row is gone. */
const countsRowIds = 0;

const available = `${availableColumns}, account_id AS accountId, position, text AS message`;

const prepare = (database: Database) => ({
  insert: database.prepare(
    insertInto(
      inbound,
      "id",
      "trackingCode",
      "routeId",
      "sender",
      "receiver",
      "text",
      "octets",
      "partCount",
      "partsReceived",
      "receivedAt",
    ),
  ),
  nextPosition: database.prepare<{ last: number }, [number]>(
    `INSERT INTO inbound_counter (account_id, last) VALUES (?, 1)
     ON CONFLICT (account_id) DO UPDATE SET last = last + 1 RETURNING last`,
  ),
  lastPosition: database.prepare<{ last: number }, [number]>("SELECT last FROM inbound_counter WHERE account_id = ?"),
  makeAvailable: database.prepare<AvailableInbound, [number, number, number, number]>(
    `UPDATE inbound SET account_id = ?2, position = ?3, available_at = ?4 WHERE id = ?1 AND account_id IS NULL
     RETURNING ${available}`,
  ),
  byCode: database.prepare<InboundRow, [string]>(`SELECT ${columns} FROM inbound WHERE tracking_code = ?`),
  unmapped: database.prepare<{ id: number }, [string, number]>(
    "SELECT id FROM inbound WHERE account_id IS NULL AND receiver = ? ORDER BY id LIMIT ?",
  ),
  backlogs: database.prepare<{ number: string }, []>(
    "SELECT number FROM line WHERE EXISTS (SELECT 1 FROM inbound WHERE account_id IS NULL AND receiver = line.number)",
  ),
  nextAfter: database.prepare<{ position: number }, [number, number]>(
    "SELECT position FROM inbound WHERE account_id = ? AND position > ? ORDER BY position LIMIT 1",
  ),
  slice: database.prepare<
    AvailableInbound,
    [number, number, number, string | null, string | null, number | null, number | null, number]
  >(
    `SELECT ${available} FROM inbound WHERE account_id = ?1 AND position > ?2 AND position <= ?3
       AND (?4 IS NULL OR sender = ?4) AND (?5 IS NULL OR receiver = ?5)
       AND (?6 IS NULL OR received_at >= ?6) AND (?7 IS NULL OR received_at < ?7)
     ORDER BY position LIMIT ?8`,
  ),
  oldest: database.prepare<{ id: number; receivedAt: number; keptFrom: number }, [number, number]>(
    `SELECT id, received_at AS receivedAt, coalesce(available_at, received_at) AS keptFrom
     FROM inbound WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  remove: database.prepare("DELETE FROM inbound WHERE id = ?"),
});

export class InboundTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #listeners: readonly InboundListener[];

  constructor(database: Database, listeners: readonly InboundListener[]) {
    this.#sql = prepare(database);
    this.#listeners = listeners;
  }

  /** Stores a message that no account can read yet. Returns its row id, which is never reused. */
  insert(row: NewInbound): number {
    const { trackingCode, routeId, sender, receiver, text, octets, partCount, partsReceived, receivedAt } = row;
    const id = this.#next(countsRowIds);
    this.#sql.insert.run(
      id,
      trackingCode,
      routeId,
      sender,
      receiver,
      text,
      octets,
      partCount,
      partsReceived,
      receivedAt,
    );
    return id;
  }

  /** Assigns a message its position in the account's order. False if it had one already. */
  makeAvailable(id: number, accountId: number, at: number): boolean {
    const position = this.#next(accountId);
    const available = this.#sql.makeAvailable.get(id, accountId, position, at);
    if (available === null) return false;
    for (const listener of this.#listeners) listener(available);
    return true;
  }

  #next(counter: number): number {
    const next = this.#sql.nextPosition.get(counter)?.last;
    if (next === undefined) throw new Error(`Counter ${counter} of inbound messages gave no number`);
    return next;
  }

  byCode(trackingCode: string): InboundRow | null {
    return this.#sql.byCode.get(trackingCode);
  }

  /** Ids of messages to this number that belong to no account yet, oldest first. */
  unmapped(receiver: string, limit: number): number[] {
    return this.#sql.unmapped.all(receiver, limit).map(({ id }) => id);
  }

  /** Lines with messages that arrived before the line existed and are not available yet. */
  backlogs(): string[] {
    return this.#sql.backlogs.all().map(({ number }) => number);
  }

  /** The account's highest position so far, even if its message is long gone; 0 if there is none. */
  lastPosition(accountId: number): number {
    return this.#sql.lastPosition.get(accountId)?.last ?? 0;
  }

  /** The first position after this one whose message still exists. */
  nextAfter(accountId: number, position: number): number | null {
    return this.#sql.nextAfter.get(accountId, position)?.position ?? null;
  }

  /** Matches among the positions after `after`, up to and including `through`, in order. */
  slice(accountId: number, after: number, through: number, filter: InboxFilter, limit: number): AvailableInbound[] {
    const { sender, receiver, from, to } = filter;
    return this.#sql.slice.all(accountId, after, through, sender, receiver, from, to, limit);
  }

  /**
   * Checks the next `limit` messages after `afterId` and removes those older than `before`, counted from when they
   * became available. Returns where to continue, or null when the rest are younger.
   */
  prune(afterId: number, before: number, limit: number): { nextId: number | null; removed: number } {
    const rows = this.#sql.oldest.all(afterId, limit);
    const aged = rows.filter((row) => row.keptFrom < before);
    for (const { id } of aged) this.#sql.remove.run(id);
    const more = rows.length === limit && rows.every((row) => row.receivedAt < before);
    return { nextId: more ? (rows.at(-1)?.id ?? null) : null, removed: aged.length };
  }
}
