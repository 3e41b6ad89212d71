/** What credentials have to be told: receipts and texts from phones wait here until a bind of the credential acknowledged them. */
import type { Database } from "bun:sqlite";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { credentialDelivery, inbound, message, smppSubmit } from "./schema.ts";

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

/** A row that is due, with what its receipt or text is made of; the fields of the message are null where it is gone. */
export type DueCredentialDelivery = RowOf<typeof queueColumns> & {
  [Key in keyof (RowOf<typeof submitColumns> & RowOf<typeof messageColumnsOfReceipt> & RowOf<typeof inboundColumns>)]:
    | string
    | null;
} & {
  submittedAt: number | null;
  /** The phone that the text came from. */
  phone: string | null;
  /** Of an incomplete message. */
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

/** Told which credentials have something to get, right after the transaction that wrote it (and now and then for nothing). */
export type CredentialListener = (credentialIds: ReadonlySet<number>) => void;

const prepare = (database: Database) => ({
  insertReceipt: database.prepare(
    insertInto(credentialDelivery, "credentialId", "submitId", "state", "errorCode", "endedAt", "dueAt", "createdAt"),
  ),
  insertInbound: database.prepare(insertInto(credentialDelivery, "credentialId", "inboundId", "dueAt", "createdAt")),
  due: database.prepare<DueCredentialDelivery, [number, number, number, number, number]>(
    `SELECT ${queueColumns}, ${submitColumns}, smpp_submit.created_at AS submittedAt, ${messageColumnsOfReceipt},
       ${inboundColumns}, inbound.sender AS phone,
       smpp_assembly.sender AS partSender, smpp_assembly.recipient AS partRecipient,
       smpp_assembly.tracking_code AS partCode
     FROM credential_delivery
     LEFT JOIN smpp_submit ON smpp_submit.id = credential_delivery.submit_id
     LEFT JOIN message ON message.id = smpp_submit.message_id
     LEFT JOIN smpp_segment ON smpp_segment.submit_id = smpp_submit.id AND smpp_submit.message_id IS NULL
     LEFT JOIN smpp_assembly ON smpp_assembly.id = smpp_segment.assembly_id
     LEFT JOIN inbound ON inbound.id = credential_delivery.inbound_id
     WHERE credential_delivery.credential_id = ?1 AND credential_delivery.due_at <= ?2
       AND (credential_delivery.due_at, credential_delivery.id) > (?3, ?4)
     ORDER BY credential_delivery.due_at, credential_delivery.id LIMIT ?5`,
  ),
  nextDue: database.prepare<{ dueAt: number }, [number, number]>(
    "SELECT due_at AS dueAt FROM credential_delivery WHERE credential_id = ? AND due_at > ? ORDER BY due_at LIMIT 1",
  ),
  remove: database.prepare("DELETE FROM credential_delivery WHERE id = ?"),
  retry: database.prepare("UPDATE credential_delivery SET due_at = ?2, attempts = attempts + 1 WHERE id = ?1"),
  pullIn: database.prepare("UPDATE credential_delivery SET due_at = ?2 WHERE credential_id = ?1 AND due_at > ?3"),
  waiting: database.prepare<{ credentialId: number; waiting: number; oldestAt: number }, []>(
    `SELECT credential_id AS credentialId, count(*) AS waiting, min(created_at) AS oldestAt
     FROM credential_delivery GROUP BY credential_id`,
  ),
  prune: database.prepare(
    `DELETE FROM credential_delivery WHERE id IN (
       SELECT id FROM (SELECT id, created_at FROM credential_delivery ORDER BY id LIMIT ?2) WHERE created_at < ?1)`,
  ),
});

export class CredentialDeliveryTable {
  readonly #database: Database;
  readonly #listeners = new Set<CredentialListener>();
  #prepared: ReturnType<typeof prepare> | null = null;
  #touched = new Set<number>();

  constructor(database: Database) {
    this.#database = database;
  }

  get #sql(): ReturnType<typeof prepare> {
    this.#prepared ??= prepare(this.#database);
    return this.#prepared;
  }

  /** A submit has come to its end. Writes, as the next. */
  addReceipt({ credentialId, submitId, state, errorCode, endedAt, createdAt }: NewReceipt): void {
    this.#sql.insertReceipt.run(credentialId, submitId, state, errorCode, endedAt, createdAt, createdAt);
    this.#touch(credentialId);
  }

  /** A text has come for a line of the credential. */
  addInbound(credentialId: number, inboundId: number, createdAt: number): void {
    this.#sql.insertInbound.run(credentialId, inboundId, createdAt, createdAt);
    this.#touch(credentialId);
  }

  /** Up to `limit` that are due, the longest due first, behind a position in that order. */
  due(credentialId: number, now: number, after: { dueAt: number; id: number }, limit: number): DueCredentialDelivery[] {
    return this.#sql.due.all(credentialId, now, after.dueAt, after.id, limit);
  }

  /** When the first after `now` is due; null when none is. */
  nextDue(credentialId: number, now: number): number | null {
    return this.#sql.nextDue.get(credentialId, now)?.dueAt ?? null;
  }

  /** Acknowledged. Writes, as all below. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#sql.remove.run(id);
  }

  /** Refused: it is due again at `dueAt`. */
  retry(id: number, dueAt: number): void {
    this.#sql.retry.run(id, dueAt);
  }

  /** What is planned after `latest`, which no schedule asks for, becomes due at `now`: the wall clock went back. */
  pullIn(credentialId: number, now: number, latest: number): void {
    this.#sql.pullIn.run(credentialId, now, latest);
  }

  /** How many wait for each credential, and since when the oldest does. Walks all that wait. */
  waiting(): { credentialId: number; waiting: number; oldestAt: number }[] {
    return this.#sql.waiting.all();
  }

  /** Forgets those that nobody took since `before`, among the oldest `limit`; returns how many went. */
  prune(before: number, limit: number): number {
    return this.#sql.prune.run(before, limit).changes;
  }

  /** Returns what ends the subscription. */
  subscribe(listener: CredentialListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #touch(credentialId: number): void {
    // A commit is one synchronous stretch: a microtask runs when it is over, whichever way it ended.
    if (this.#touched.size === 0) {
      queueMicrotask(() => {
        const touched = this.#touched;
        this.#touched = new Set();
        for (const listener of this.#listeners) listener(touched);
      });
    }
    this.#touched.add(credentialId);
  }
}
