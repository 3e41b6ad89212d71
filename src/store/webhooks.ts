/** Webhooks: where an account receives its events, and which kinds. */
import type { Database } from "bun:sqlite";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type EventKind, isEventKind } from "../domain/event.ts";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, webhook } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

/**
 * `stoppedThrough`: deliveries up to this id ended when it was last switched off; 0 once each row records that itself.
 */
export interface WebhookRow extends Omit<typeof webhook.$inferSelect, "events"> {
  events: readonly EventKind[];
}

export type NewWebhook = Pick<
  WebhookRow,
  "publicId" | "accountId" | "url" | "events" | "active" | "sealedSecret" | "createdAt" | "updatedAt"
>;

/** `failedAt`: to the hour. Times are epoch milliseconds, null if the last attempt succeeded. */
export type WebhookHealth = Pick<WebhookRow, "isSlow" | "failingSince" | "failedAt">;

const columns = columnsOf(webhook);
type StoredWebhook = RowOf<typeof columns>;

const kindsOf = (events: string): EventKind[] => events.split(" ").filter(isEventKind);

const rowOf = ({ events, active, isSlow, ...rest }: StoredWebhook): WebhookRow => ({
  ...rest,
  events: kindsOf(events),
  active: active === 1,
  isSlow: isSlow === 1,
});

/** Of the queues of credentials. */
const prepareQueues = (database: Database) => ({
  queue: database.prepare<StoredWebhook, [number, string]>(
    `SELECT ${columns} FROM webhook WHERE credential_id = ? AND url = ? AND removed_at IS NULL`,
  ),
  queuesOfAccount: database.prepare<{ id: number }, [number]>(
    "SELECT id FROM webhook WHERE account_id = ? AND credential_id IS NOT NULL AND removed_at IS NULL",
  ),
  anyQueue: database.prepare("SELECT 1 FROM webhook WHERE credential_id IS NOT NULL LIMIT 1"),
  countQueues: database.prepare<{ queues: number }, [number]>(
    "SELECT count(*) AS queues FROM webhook WHERE credential_id = ? AND removed_at IS NULL",
  ),
  pruneQueues: database.prepare<{ id: number; accountId: number }, [number, number]>(
    `DELETE FROM webhook WHERE id IN (
       SELECT id FROM webhook AS queue
       WHERE (credential_id IS NOT NULL OR removed_at IS NOT NULL) AND coalesce(removed_at, created_at) < ?
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE webhook_id = queue.id)
       AND NOT EXISTS (SELECT 1 FROM message_callback WHERE webhook_id = queue.id) LIMIT ?)
     RETURNING id, account_id AS accountId`,
  ),
  setCredential: database.prepare<null, [number, number]>("UPDATE webhook SET credential_id = ?2 WHERE id = ?1"),
});

const prepare = (database: Database) => ({
  insert: database.prepare<StoredWebhook, [string, number, string, string, number, Uint8Array, number, number]>(
    `${insertInto(
      webhook,
      "publicId",
      "accountId",
      "url",
      "events",
      "active",
      "sealedSecret",
      "createdAt",
      "updatedAt",
    )} RETURNING ${columns}`,
  ),
  byId: database.prepare<StoredWebhook, [number]>(`SELECT ${columns} FROM webhook WHERE id = ?`),
  byPublicId: database.prepare<StoredWebhook, [string]>(`SELECT ${columns} FROM webhook WHERE public_id = ?`),
  ofAccount: database.prepare<StoredWebhook, [number]>(
    `SELECT ${columns} FROM webhook WHERE account_id = ? AND credential_id IS NULL AND removed_at IS NULL ORDER BY id`,
  ),
  ...prepareQueues(database),
  all: database.prepare<StoredWebhook, []>(`SELECT ${columns} FROM webhook WHERE removed_at IS NULL ORDER BY id`),
  failing: database.prepare<StoredWebhook, [number]>(
    `SELECT ${columns} FROM webhook
     WHERE removed_at IS NULL AND credential_id IS NULL AND (failing_since IS NOT NULL OR switched_off_at IS NOT NULL) ORDER BY id LIMIT ?`,
  ),
  switchedOff: database.prepare<StoredWebhook, [number]>(
    `SELECT ${columns} FROM webhook WHERE removed_at IS NULL AND switched_off_at IS NOT NULL ORDER BY id LIMIT ?`,
  ),
  countSwitchedOff: database.prepare<{ webhooks: number }, []>(
    "SELECT count(*) AS webhooks FROM webhook WHERE removed_at IS NULL AND switched_off_at IS NOT NULL",
  ),
  change: database.prepare<null, [number, string, number, number]>(
    "UPDATE webhook SET events = ?2, active = ?3, updated_at = ?4 WHERE id = ?1",
  ),
  stop: database.prepare<null, [number]>(
    `UPDATE webhook SET active = 0, stopped_through = max(stopped_through, (SELECT coalesce(max(id), 0) FROM delivery))
     WHERE id = ?`,
  ),
  stopNoted: database.prepare<null, [number, number]>(
    "UPDATE webhook SET stopped_through = 0 WHERE id = ? AND stopped_through = ?",
  ),
  // A next secret whose time has come is now the current one.
  setNextSecret: database.prepare<null, [number, Uint8Array, number, number]>(
    `UPDATE webhook SET
       sealed_secret = CASE WHEN next_secret_from <= ?4 THEN next_sealed_secret ELSE sealed_secret END,
       next_sealed_secret = ?2, next_secret_from = ?3
     WHERE id = ?1`,
  ),
  switchSecret: database.prepare<null, [number]>(
    `UPDATE webhook SET sealed_secret = next_sealed_secret, next_sealed_secret = NULL, next_secret_from = NULL
     WHERE id = ? AND next_sealed_secret IS NOT NULL`,
  ),
  setHealth: database.prepare<null, [number, number, number | null, number | null]>(
    "UPDATE webhook SET is_slow = ?2, failing_since = ?3, failed_at = ?4 WHERE id = ?1",
  ),
  setSwitchedOff: database.prepare<null, [number, number | null]>(
    "UPDATE webhook SET switched_off_at = ?2, failing_since = NULL, failed_at = NULL WHERE id = ?1",
  ),
  remove: database.prepare<null, [number, number]>("UPDATE webhook SET removed_at = ?2, updated_at = ?2 WHERE id = ?1"),
  removeUncalled: database.prepare<null, [number]>(
    "DELETE FROM webhook WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM delivery WHERE webhook_id = ?1)",
  ),
  countRemoved: database.prepare<{ removed: number }, [number]>(
    "SELECT count(*) AS removed FROM webhook WHERE account_id = ? AND credential_id IS NULL AND removed_at IS NOT NULL",
  ),
});

export class WebhookTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #drizzle: Drizzle;
  /**
   * By account. Checked at every status change, so it must not cost a query. It reflects the current transaction:
   * whoever changes a webhook drops its account's entry inside that transaction, and again when it has ended.
   */
  readonly #active = new Map<number, readonly WebhookRow[]>();
  readonly #isOfCredential = new Map<number, boolean>();

  constructor(database: Database, drizzle: Drizzle) {
    this.#sql = prepare(database);
    this.#drizzle = drizzle;
  }

  insert(row: NewWebhook): WebhookRow {
    const { publicId, accountId, url, events, active, sealedSecret, createdAt, updatedAt } = row;
    const kinds = events.join(" ");
    const { insert } = this.#sql;
    const stored = insert.get(publicId, accountId, url, kinds, Number(active), sealedSecret, createdAt, updatedAt);
    if (stored === null) throw new Error("An inserted webhook gave no row");
    this.#active.delete(accountId);
    return rowOf(stored);
  }

  /** Includes removed webhooks: their deliveries still refer to them. */
  byId(id: number): WebhookRow | null {
    const stored = this.#sql.byId.get(id);
    return stored === null ? null : rowOf(stored);
  }

  /** The webhook of any account, even if removed. */
  byPublicIdAnywhere(publicId: string): WebhookRow | null {
    const stored = this.#sql.byPublicId.get(publicId);
    return stored === null ? null : rowOf(stored);
  }

  /** The account's webhook with this id; null if it is another account's or was removed. */
  byPublicId(accountId: number, publicId: string): WebhookRow | null {
    const row = this.byPublicIdAnywhere(publicId);
    return row?.accountId === accountId && row.credentialId === null && row.removedAt === null ? row : null;
  }

  /** True for a credential's queue of message callbacks rather than a customer's webhook. It never changes. */
  isOfCredential(id: number): boolean {
    const known = this.#isOfCredential.get(id);
    if (known !== undefined) return known;
    const row = this.byId(id);
    if (row === null) return false;
    this.#isOfCredential.set(id, row.credentialId !== null);
    return row.credentialId !== null;
  }

  /** The credential's queue for this origin; null if there is none yet. */
  queueOf(credentialId: number, origin: string): WebhookRow | null {
    const stored = this.#sql.queue.get(credentialId, origin);
    return stored === null ? null : rowOf(stored);
  }

  /** True if any credential has a queue; deliveries in it belong to no webhook. */
  hasQueues(): boolean {
    return this.#sql.anyQueue.get() !== null;
  }

  /** How many queues a credential has. */
  countQueues(credentialId: number): number {
    return this.#sql.countQueues.get(credentialId)?.queues ?? 0;
  }

  /** Queues of the account's credentials. */
  queuesOfAccount(accountId: number): { id: number }[] {
    return this.#sql.queuesOfAccount.all(accountId);
  }

  /** Adds a credential's queue: a webhook that no customer manages, with its origin in place of the URL. */
  insertQueue(row: NewWebhook, credentialId: number): WebhookRow {
    const inserted = this.insert(row);
    this.#sql.setCredential.run(inserted.id, credentialId);
    this.#active.delete(row.accountId);
    return { ...inserted, credentialId };
  }

  /**
   * Removes up to `limit` queues that were created before that time, and webhooks that were removed before it, to which
   * no delivery and no message refers: they count against the limits of credential and account. Returns the number
   * removed.
   */
  pruneQueues(before: number, limit: number): number {
    const removed = this.#sql.pruneQueues.all(before, limit);
    for (const { id, accountId } of removed) {
      this.#isOfCredential.delete(id);
      this.#active.delete(accountId);
    }
    return removed.length;
  }

  /** How many of the customer's webhooks are removed and have deliveries. */
  countRemoved(accountId: number): number {
    return this.#sql.countRemoved.get(accountId)?.removed ?? 0;
  }

  /** The customer's webhooks that are not removed, in order of creation. */
  ofAccount(accountId: number): WebhookRow[] {
    return this.#sql.ofAccount.all(accountId).map(rowOf);
  }

  /** Like `ofAccount`, for all accounts. */
  all(): WebhookRow[] {
    return this.#sql.all.all().map(rowOf);
  }

  /** Rows of `all`, or of one account; failing ones first. Searches URL, id and account name. */
  part(range: ListRange, accountId?: number): Promise<PartOfList<WebhookRow>> {
    const isPresent = isNull(webhook.removedAt);
    const order = [isNull(webhook.failingSince), webhook.id];
    return partOfOwned(this.#drizzle, range, {
      table: webhook,
      key: webhook.id,
      accountId: webhook.accountId,
      isListed: accountId === undefined ? isPresent : and(isPresent, eq(webhook.accountId, accountId)),
      order,
      text: sql`${webhook.url} || ' ' || ${webhook.publicId} || ' ' || ${account.name}`,
      rows: (where) => {
        const stored = this.#drizzle
          .select()
          .from(webhook)
          .where(where)
          .orderBy(...order)
          .all();
        return stored.map((row) => ({ ...row, events: kindsOf(row.events) }));
      },
    });
  }

  /** Rows of `all` whose every callback fails, or that the service switched off for that reason. */
  failing(limit: number): WebhookRow[] {
    return this.#sql.failing.all(limit).map(rowOf);
  }

  /** Rows of `all` that the service switched off. */
  switchedOff(limit: number): WebhookRow[] {
    return this.#sql.switchedOff.all(limit).map(rowOf);
  }

  countSwitchedOff(): number {
    return this.#sql.countSwitchedOff.get()?.webhooks ?? 0;
  }

  /** Switching a webhook off ends its waiting deliveries, whatever happens later. */
  change(row: WebhookRow, to: { events: readonly EventKind[]; active: boolean; at: number }): void {
    this.#active.delete(row.accountId);
    if (row.active && !to.active) this.#sql.stop.run(row.id);
    if (!row.active && to.active) this.#sql.setSwitchedOff.run(row.id, null);
    this.#sql.change.run(row.id, to.events.join(" "), Number(to.active), to.at);
  }

  setHealth(id: number, { isSlow, failingSince, failedAt }: WebhookHealth): void {
    this.#sql.setHealth.run(id, Number(isSlow), failingSince, failedAt);
  }

  /** The service gives up on it. Switching it on again starts afresh. */
  switchOff(row: WebhookRow, at: number): void {
    this.change(row, { events: row.events, active: false, at });
    this.#sql.setSwitchedOff.run(row.id, at);
  }

  /** Sets the secret that signs from `from` (epoch ms) on, replacing any earlier next secret. */
  setNextSecret(row: WebhookRow, sealed: Uint8Array, { from, now }: { from: number; now: number }): void {
    this.#active.delete(row.accountId);
    this.#sql.setNextSecret.run(row.id, sealed, from, now);
  }

  /** Makes the next secret the current one; false if there is none. */
  switchSecret(row: WebhookRow): boolean {
    this.#active.delete(row.accountId);
    return this.#sql.switchSecret.run(row.id).changes > 0;
  }

  /** Every delivery up to `through` now records that it ended. */
  stopNoted(id: number, through: number): void {
    this.#sql.stopNoted.run(id, through);
  }

  /** Its row stays for as long as its deliveries do. */
  remove(row: WebhookRow, at: number): void {
    this.#active.delete(row.accountId);
    if (this.#sql.removeUncalled.run(row.id).changes > 0) return;
    this.#sql.stop.run(row.id);
    this.#sql.remove.run(row.id, at);
  }

  /** The account's active webhooks that subscribe to this kind. */
  listening(accountId: number, kind: EventKind): readonly WebhookRow[] {
    const active = this.#activeOf(accountId);
    return active.length === 0 ? active : active.filter((row) => row.events.includes(kind));
  }

  /** Call after changing a webhook, once the change has committed or failed. */
  forget(accountId: number): void {
    this.#active.delete(accountId);
  }

  #activeOf(accountId: number): readonly WebhookRow[] {
    const known = this.#active.get(accountId);
    if (known !== undefined) return known;
    const read = this.ofAccount(accountId).filter(({ active }) => active);
    this.#active.set(accountId, read);
    return read;
  }
}
