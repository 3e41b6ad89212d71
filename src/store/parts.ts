/** Parts under the ids that providers assigned. */
import type { Database } from "bun:sqlite";
import { isSameId } from "../domain/provider-id.ts";
import { AppendedRows } from "./appended-rows.ts";
import { columnsOf, type RowOf, replaceRowsInto } from "./columns.ts";
import { message, part } from "./schema.ts";

const partColumns = columnsOf(part, "messageId", "number", "providerId", "receipt");
const sentPartColumns = columnsOf(part);

export type PartRow = RowOf<typeof partColumns>;
/** A part with its route and the id that its provider assigned. */
export type SentPartRow = RowOf<typeof sentPartColumns>;
export type ReceiptState = NonNullable<PartRow["receipt"]>;

/** How many parts of a message can have a receipt, and how many were delivered. */
export interface PartCounts {
  tracked: number;
  delivered: number;
}

const unreportedColumns = columnsOf(part, "messageId", "number", "routeId", "providerId");
const recipientColumn = columnsOf(message, "recipient");

/** A part accepted by a carrier, of a sent message that is waiting for its receipt. */
export type UnreportedPart = RowOf<typeof unreportedColumns> & RowOf<typeof recipientColumn>;

const insertedKeys = ["messageId", "number", "routeId", "providerId"] as const;

const prepare = (database: Database) => ({
  byProviderId: database.prepare<PartRow, [number, string]>(
    // Sorted by the caller. ORDER BY took 2 µs because of what planned-connection.ts prevents now; most answers are one row.
    `SELECT ${partColumns} FROM part
     WHERE route_id = ? AND ltrim(provider_id, '0') = ltrim(?, '0') AND provider_id IS NOT NULL`,
  ),
  removeAfter: database.prepare("DELETE FROM part WHERE message_id = ? AND number > ? AND receipt IS NULL"),
  setReceipt: database.prepare("UPDATE part SET receipt = ?3 WHERE message_id = ?1 AND number = ?2"),
  ofMessage: database.prepare<SentPartRow, [number]>(
    `SELECT ${sentPartColumns} FROM part WHERE message_id = ? ORDER BY number`,
  ),
  unreported: database.prepare<UnreportedPart, [number, number]>(
    `SELECT ${unreportedColumns}, ${recipientColumn} FROM part JOIN message ON message.id = part.message_id
     WHERE part.message_id >= ? AND part.message_id < ? AND part.receipt IS NULL AND message.state = 'submitted'`,
  ),
  countsOf: database.prepare<PartCounts, [number]>(
    "SELECT count(*) AS tracked, coalesce(sum(receipt = 'delivered'), 0) AS delivered FROM part WHERE message_id = ?",
  ),
});

export class PartTable {
  readonly #sql: ReturnType<typeof prepare>;

  /** Parts of the current transaction that are not in the table yet: an answer brings those of many messages. */
  readonly appended: AppendedRows;

  constructor(database: Database) {
    this.#sql = prepare(database);
    // A resend after an uncertain submit replaces any rows of the first attempt.
    const insert = (rows: number) => replaceRowsInto(part, insertedKeys, rows);
    this.appended = new AppendedRows(database, insertedKeys.length, insert);
  }

  /** Call inside `Store.write`: the row is inserted with others, before anything reads the table. */
  insert(messageId: number, number: number, routeId: number, providerId: string | null): void {
    this.appended.add([messageId, number, routeId, providerId]);
  }

  /**
   * The parts under this id, likeliest first. An SMSC may reuse an id; it then means the newest message. If it gives
   * all parts of a message the same id, it reports on each, and a receipt is for the first undecided part. `anyWidth`:
   * if no part has exactly this id, leading zeros are ignored.
   */
  byProviderId(routeId: number, providerId: string, anyWidth: boolean): PartRow[] {
    this.appended.flush();
    const found = this.#sql.byProviderId.all(routeId, providerId);
    const same = found.filter((row) => row.providerId === providerId);
    const meant = same.length > 0 ? same : found.filter((row) => isSameId(row.providerId ?? "", providerId, anyWidth));
    return meant.length > 1 ? meant.sort((a, b) => (comesBefore(a, b) ? -1 : 1)) : meant;
  }

  ofMessage(messageId: number): SentPartRow[] {
    this.appended.flush();
    return this.#sql.ofMessage.all(messageId);
  }

  /** Parts without a receipt, of sent messages from `firstId` up to but not including `beforeId`. */
  unreported(firstId: number, beforeId: number): UnreportedPart[] {
    this.appended.flush();
    return this.#sql.unreported.all(firstId, beforeId);
  }

  countsOf(messageId: number): PartCounts {
    this.appended.flush();
    return this.#sql.countsOf.get(messageId) ?? { tracked: 0, delivered: 0 };
  }

  /**
   * The provider split a multipart message into a different number of parts than was counted: adds parts under the id
   * of the first, or removes unknown ones from the end.
   */
  resize(messageId: number, partCount: number): void {
    const parts = this.ofMessage(messageId);
    const [first] = parts;
    if (first === undefined || parts.length < 2 || partCount < 1) return;
    for (let number = parts.length + 1; number <= partCount; number += 1)
      this.insert(messageId, number, first.routeId, first.providerId);
    this.appended.flush();
    this.#sql.removeAfter.run(messageId, partCount);
  }

  setReceipt({ messageId, number }: Pick<PartRow, "messageId" | "number">, receipt: ReceiptState): void {
    this.appended.flush();
    this.#sql.setReceipt.run(messageId, number, receipt);
  }
}

function comesBefore(one: PartRow, other: PartRow): boolean {
  if (one.messageId !== other.messageId) return one.messageId > other.messageId;
  if (isDecided(one) !== isDecided(other)) return isDecided(other);
  return one.number < other.number;
}

/** A decided part ignores later receipts. */
export function isDecided({ receipt }: PartRow): boolean {
  return receipt === "delivered" || receipt === "failed";
}
