/** Parts under the ids that providers gave them, and the receipts that came before their part was known. */
import type { Database } from "bun:sqlite";
import type { MessageErrorCode } from "../domain/message.ts";

export type ReceiptState = "delivered" | "failed" | "pending";

export interface PartRow {
  messageId: number;
  number: number;
  receipt: ReceiptState | null;
}

export interface OrphanReceipt {
  routeId: number;
  providerId: string;
  state: ReceiptState;
  errorCode: MessageErrorCode | null;
  detail: string;
  at: number;
}

export type PartTable = ReturnType<typeof partTable>;

export function partTable(database: Database) {
  const insertion = database.prepare(
    // A resend after an uncertain submit replaces what the first try may have left.
    "INSERT OR REPLACE INTO part (message_id, number, route_id, provider_id) VALUES (?, ?, ?, ?)",
  );
  const byProviderId = database.prepare<PartRow, [number, string]>(
    // No ORDER BY: measured, it takes this SQLite 2 µs more than looking at the one or two rows here.
    "SELECT message_id AS messageId, number, receipt FROM part WHERE route_id = ? AND provider_id = ?",
  );
  const setReceipt = database.prepare("UPDATE part SET receipt = ?3 WHERE message_id = ?1 AND number = ?2");
  const ofMessage = database.prepare<PartRow & { providerId: string | null; routeId: number }, [number]>(
    `SELECT message_id AS messageId, number, receipt, provider_id AS providerId, route_id AS routeId
     FROM part WHERE message_id = ? ORDER BY number`,
  );
  const insertOrphan = database.prepare(
    `INSERT INTO orphan_receipt (route_id, provider_id, state, error_code, detail, at, received_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const takeOrphans = database.prepare<OrphanReceipt, [number, string]>(
    `DELETE FROM orphan_receipt WHERE route_id = ? AND provider_id = ?
     RETURNING route_id AS routeId, provider_id AS providerId, state, error_code AS errorCode, detail, at`,
  );
  const pruneOrphans = database.prepare(
    "DELETE FROM orphan_receipt WHERE id IN (SELECT id FROM orphan_receipt WHERE received_at < ? LIMIT ?)",
  );

  return {
    insert(messageId: number, number: number, routeId: number, providerId: string | null): void {
      insertion.run(messageId, number, routeId, providerId);
    },
    /** An SMSC may hand out an id again after a while: the newest message has it. */
    byProviderId(routeId: number, providerId: string): PartRow | null {
      const parts = byProviderId.all(routeId, providerId);
      return parts.reduce<PartRow | null>((a, b) => (a === null || b.messageId > a.messageId ? b : a), null);
    },
    ofMessage: (messageId: number) => ofMessage.all(messageId),
    setReceipt(part: PartRow, receipt: ReceiptState): void {
      setReceipt.run(part.messageId, part.number, receipt);
    },
    insertOrphan(orphan: OrphanReceipt, receivedAt: number): void {
      const { routeId, providerId, state, errorCode, detail, at } = orphan;
      insertOrphan.run(routeId, providerId, state, errorCode, detail, at, receivedAt);
    },
    /** The receipts that were waiting for this part, oldest first; they are gone from the table afterwards. */
    takeOrphans: (routeId: number, providerId: string): OrphanReceipt[] => takeOrphans.all(routeId, providerId),
    pruneOrphans: (receivedBefore: number, limit: number): number => pruneOrphans.run(receivedBefore, limit).changes,
  };
}
