/** Parts under the ids that providers gave them, and the receipts that came before their part was known. */
import type { Database } from "bun:sqlite";
import type { MessageErrorCode } from "../domain/message.ts";

export type ReceiptState = "delivered" | "failed" | "pending";

export interface PartRow {
  messageId: number;
  number: number;
  receipt: ReceiptState | null;
}

/** The parts of a message that a receipt can reach, and how many of them were delivered. */
export interface PartCounts {
  tracked: number;
  delivered: number;
}

interface OrphanReport {
  state: ReceiptState;
  errorCode: MessageErrorCode | null;
  detail: string;
}

export interface OrphanReceipt extends OrphanReport {
  routeId: number;
  /** Every spelling of the id that the answer to the submit may have used. */
  providerIds: readonly string[];
  at: number;
}

/** A receipt that matches nothing, as the operator sees it. Times are epoch milliseconds. */
export interface UnmatchedReceipt {
  /** Under which it was looked for first. */
  providerId: string;
  state: ReceiptState;
  detail: string;
  receivedAt: number;
}

type OrphanRow = OrphanReport & { id: number; spelling: number; spellings: number };

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
  const countsOf = database.prepare<PartCounts, [number]>(
    "SELECT count(*) AS tracked, coalesce(sum(receipt = 'delivered'), 0) AS delivered FROM part WHERE message_id = ?",
  );

  return {
    insert(messageId: number, number: number, routeId: number, providerId: string | null): void {
      insertion.run(messageId, number, routeId, providerId);
    },
    /**
     * An SMSC may hand out an id again after a while: the newest message has it. One that gives all parts of a message the
     * same id reports on each: the first that is not decided has it.
     */
    byProviderId(routeId: number, providerId: string): PartRow | null {
      const [first = null, ...others] = byProviderId.all(routeId, providerId);
      return others.reduce<PartRow | null>((a, b) => (a === null || comesBefore(b, a) ? b : a), first);
    },
    ofMessage: (messageId: number) => ofMessage.all(messageId),
    countsOf: (messageId: number): PartCounts => countsOf.get(messageId) ?? { tracked: 0, delivered: 0 },
    setReceipt(part: PartRow, receipt: ReceiptState): void {
      setReceipt.run(part.messageId, part.number, receipt);
    },
    ...orphanReceipts(database),
  };
}

function comesBefore(part: PartRow, other: PartRow): boolean {
  if (part.messageId !== other.messageId) return part.messageId > other.messageId;
  if (isDecided(part) !== isDecided(other)) return isDecided(other);
  return part.number < other.number;
}

/** Whatever comes after that changes nothing. */
export function isDecided({ receipt }: PartRow): boolean {
  return receipt === "delivered" || receipt === "failed";
}

function orphanReceipts(database: Database) {
  const insertion = database.prepare(
    `INSERT INTO orphan_receipt (route_id, provider_id, spelling, spellings, state, error_code, detail, at, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byProviderId = database.prepare<OrphanRow, [number, string]>(
    `SELECT id, spelling, spellings, state, error_code AS errorCode, detail
     FROM orphan_receipt WHERE route_id = ? AND provider_id = ?`,
  );
  const removal = database.prepare("DELETE FROM orphan_receipt WHERE id BETWEEN ? AND ?");
  const pruning = database.prepare(
    "DELETE FROM orphan_receipt WHERE id IN (SELECT id FROM orphan_receipt WHERE received_at < ? LIMIT ?)",
  );
  const newestOfRoute = database.prepare<UnmatchedReceipt, [number, number]>(
    `SELECT provider_id AS providerId, state, detail, received_at AS receivedAt
     FROM orphan_receipt WHERE route_id = ? AND spelling = 0 ORDER BY id DESC LIMIT ?`,
  );
  const any = database.prepare("SELECT 1 FROM orphan_receipt LIMIT 1");
  // Most carriers answer before they report, and then every accepted part would be looked up here for nothing. Only a look
  // outside of a transaction may find the table empty: a rolled back one could have emptied it.
  let mayHaveSome = true;

  return {
    insertOrphan(orphan: OrphanReceipt, receivedAt: number): void {
      const { routeId, providerIds, state, errorCode, detail, at } = orphan;
      mayHaveSome = true;
      for (const [spelling, providerId] of providerIds.entries()) {
        insertion.run(routeId, providerId, spelling, providerIds.length, state, errorCode, detail, at, receivedAt);
      }
    },

    /** The receipts that waited for this part, oldest first. They are gone afterwards, with their other spellings. */
    takeOrphans(routeId: number, providerId: string): OrphanReport[] {
      if (!mayHaveSome) return [];
      const found = byProviderId.all(routeId, providerId).sort((a, b) => a.id - b.id);
      for (const { id, spelling, spellings } of found) removal.run(id - spelling, id - spelling + spellings - 1);
      return found;
    },

    /** Finds out whether any receipt waits at all. To be called now and then, outside of a transaction. */
    lookForOrphans(): void {
      if (database.inTransaction) throw new Error("Orphan receipts are looked for outside of transactions only");
      mayHaveSome = any.get() !== null;
    },

    /** The newest receipts of a route that match nothing, the newest first. */
    unmatchedReceipts: (routeId: number, limit: number): UnmatchedReceipt[] => newestOfRoute.all(routeId, limit),

    pruneOrphans: (receivedBefore: number, limit: number): number => pruning.run(receivedBefore, limit).changes,
  };
}
