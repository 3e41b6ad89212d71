/** Receipts and inbound texts for credentials, kept until a bind of the credential acknowledges them. */

import type { Database } from "bun:sqlite";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { credentialDelivery, inbound, message, smppSubmit } from "./schema.ts";
import { TouchedIds } from "./touched-ids.ts";

const queueColumns = columnsOf(
  credentialDelivery,
  "id",
  "submitId",
  "inboundId",
  "state",
  "errorCode",
  "endedAt",
  "attempts",
  "dueAt",
);
const submitColumns = columnsOf(smppSubmit, "code");
const messageColumnsOfReceipt = columnsOf(message, "trackingCode", "sender", "recipient");
const inboundColumns = columnsOf(inbound, "text", "receiver");

/** A due row with the contents of its receipt or text; the message fields are null if the message is gone. */
export type DueCredentialDelivery = RowOf<typeof queueColumns> & {
  [Key in keyof (RowOf<typeof submitColumns> & RowOf<typeof messageColumnsOfReceipt> & RowOf<typeof inboundColumns>)]:
    | string
    | null;
} & {
  submittedAt: number | null;
  /** The phone that the text came from. */
  phone: string | null;
  /** Only for an incomplete message. */
  partSender: string | null;
  partRecipient: string | null;
  partCode: string | null;
};

export interface NewReceipt {
  credentialId: number;
  submitId: number;
  /** message_state (SMPP 3.4 §5.2.28). */
  state: number;
  errorCode: DueCredentialDelivery["errorCode"];
  endedAt: number;
  createdAt: number;
}

/**
 * Called right after a transaction commits with the credentials that have new deliveries; sometimes called when there
 * are none.
 */
/** Deliveries waiting for a credential. `more`: there are more than were counted. `oldestAt`: epoch milliseconds. */
export interface WaitingDeliveries {
  credentialId: number;
  waiting: number;
  more: boolean;
  oldestAt: number;
}

/**
 * Counting ten thousand index entries takes a millisecond; counting a million blocked the event loop for 250 to 400 ms.
 */
const countedMax = 10_000;
const countedInAllMax = 50_000;
/** Deliveries that were refused before come after those that were never sent. */
const lookedAtMax = 20;

const selectDue = `SELECT ${queueColumns}, ${submitColumns}, smpp_submit.created_at AS submittedAt,
     ${messageColumnsOfReceipt}, ${inboundColumns}, inbound.sender AS phone,
     smpp_assembly.sender AS partSender, smpp_assembly.recipient AS partRecipient,
     smpp_assembly.tracking_code AS partCode
   FROM credential_delivery
   LEFT JOIN smpp_submit ON smpp_submit.id = credential_delivery.submit_id
   LEFT JOIN message ON message.id = smpp_submit.message_id
   LEFT JOIN smpp_segment ON smpp_segment.submit_id = smpp_submit.id AND smpp_submit.message_id IS NULL
   LEFT JOIN smpp_assembly ON smpp_assembly.id = smpp_segment.assembly_id
   LEFT JOIN inbound ON inbound.id = credential_delivery.inbound_id`;

const prepare = (database: Database) => ({
  insertReceipt: database.prepare(
    insertInto(credentialDelivery, "credentialId", "submitId", "state", "errorCode", "endedAt", "dueAt", "createdAt"),
  ),
  insertInbound: database.prepare(insertInto(credentialDelivery, "credentialId", "inboundId", "dueAt", "createdAt")),
  due: database.prepare<DueCredentialDelivery, [number, number, number, number, number]>(
    `${selectDue} WHERE credential_delivery.credential_id = ?1 AND credential_delivery.due_at <= ?2
       AND (credential_delivery.due_at, credential_delivery.id) > (?3, ?4)
     ORDER BY credential_delivery.due_at, credential_delivery.id LIMIT ?5`,
  ),
  byId: database.prepare<DueCredentialDelivery, [number]>(`${selectDue} WHERE credential_delivery.id = ?`),
  nextDue: database.prepare<{ dueAt: number }, [number, number]>(
    "SELECT due_at AS dueAt FROM credential_delivery WHERE credential_id = ? AND due_at > ? ORDER BY due_at LIMIT 1",
  ),
  remove: database.prepare("DELETE FROM credential_delivery WHERE id = ?"),
  retry: database.prepare("UPDATE credential_delivery SET due_at = ?2, attempts = attempts + 1 WHERE id = ?1"),
  pullIn: database.prepare("UPDATE credential_delivery SET due_at = ?2 WHERE credential_id = ?1 AND due_at > ?3"),
  nextCredential: database.prepare<{ credentialId: number }, [number]>(
    "SELECT credential_id AS credentialId FROM credential_delivery WHERE credential_id > ? ORDER BY credential_id LIMIT 1",
  ),
  count: database.prepare<{ waiting: number }, [number, number]>(
    "SELECT count(*) AS waiting FROM (SELECT 1 FROM credential_delivery WHERE credential_id = ? LIMIT ?)",
  ),
  oldest: database.prepare<{ oldestAt: number }, [number, number]>(
    `SELECT min(created_at) AS oldestAt FROM (
       SELECT created_at FROM credential_delivery WHERE credential_id = ? ORDER BY due_at, id LIMIT ?)`,
  ),
  prune: database.prepare(
    `DELETE FROM credential_delivery WHERE id IN (
       SELECT id FROM (SELECT id, created_at FROM credential_delivery ORDER BY id LIMIT ?2) WHERE created_at < ?1)`,
  ),
});

export class CredentialDeliveryTable {
  readonly #sql: () => ReturnType<typeof prepare>;
  readonly #touched = new TouchedIds();
  readonly subscribe = this.#touched.subscribe;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  /** A submit has ended. Writes, as does the next method. */
  addReceipt({ credentialId, submitId, state, errorCode, endedAt, createdAt }: NewReceipt): void {
    this.#sql().insertReceipt.run(credentialId, submitId, state, errorCode, endedAt, createdAt, createdAt);
    this.#touched.add(credentialId);
  }

  /** An inbound text arrived on a line of the credential. */
  addInbound(credentialId: number, inboundId: number, createdAt: number): void {
    this.#sql().insertInbound.run(credentialId, inboundId, createdAt, createdAt);
    this.#touched.add(credentialId);
  }

  /** Up to `limit` due deliveries, longest due first, after a position in that order. */
  due(credentialId: number, now: number, after: { dueAt: number; id: number }, limit: number): DueCredentialDelivery[] {
    return this.#sql().due.all(credentialId, now, after.dueAt, after.id, limit);
  }

  /** Null once it was acknowledged, or is gone. */
  byId(id: number): DueCredentialDelivery | null {
    return this.#sql().byId.get(id);
  }

  /** When the first delivery after `now` is due; null if there is none. */
  nextDue(credentialId: number, now: number): number | null {
    return this.#sql().nextDue.get(credentialId, now)?.dueAt ?? null;
  }

  /** Removes acknowledged deliveries. Writes, like every method below. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#sql().remove.run(id);
  }

  /** The delivery was refused; it is due again at `dueAt`. */
  retry(id: number, dueAt: number): void {
    this.#sql().retry.run(id, dueAt);
  }

  /**
   * After the wall clock went back: deliveries due after `latest`, later than any schedule allows, become due at `now`.
   */
  pullIn(credentialId: number, now: number, latest: number): void {
    this.#sql().pullIn.run(credentialId, now, latest);
  }

  /**
   * The number waiting for each credential, counted up to `countedMax` each and `countedInAllMax` in total, and how
   * long the oldest of the first due have waited.
   */
  waiting(): WaitingDeliveries[] {
    const { nextCredential, count, oldest } = this.#sql();
    const rows: WaitingDeliveries[] = [];
    let left = countedInAllMax;
    for (let next = nextCredential.get(0); next !== null; next = nextCredential.get(next.credentialId)) {
      const { credentialId } = next;
      const limit = Math.max(1, Math.min(countedMax, left));
      const waiting = count.get(credentialId, limit)?.waiting ?? 0;
      left -= waiting;
      const oldestAt = oldest.get(credentialId, lookedAtMax)?.oldestAt ?? 0;
      rows.push({ credentialId, waiting, more: waiting >= limit, oldestAt });
    }
    return rows;
  }

  /**
   * Of the oldest `limit`, removes those from before `before` that were never acknowledged. Returns the number removed.
   */
  prune(before: number, limit: number): number {
    return this.#sql().prune.run(before, limit).changes;
  }
}
