/** Webhooks: where an account receives its events, and of which kinds. */
import type { Database } from "bun:sqlite";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type EventKind, isEventKind } from "../domain/event.ts";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, webhook } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

/** `stoppedThrough`: deliveries up to this id ended when it was last switched off; 0 once each of their rows says so itself. */
export interface WebhookRow extends Omit<typeof webhook.$inferSelect, "events"> {
  events: readonly EventKind[];
}

export type NewWebhook = Pick<
  WebhookRow,
  "publicId" | "accountId" | "url" | "events" | "active" | "sealedSecret" | "createdAt" | "updatedAt"
>;

/** `failedAt`: to the hour. Times are epoch milliseconds, null where the last attempt succeeded. */
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
    `SELECT ${columns} FROM webhook WHERE account_id = ? AND removed_at IS NULL ORDER BY id`,
  ),
  all: database.prepare<StoredWebhook, []>(`SELECT ${columns} FROM webhook WHERE removed_at IS NULL ORDER BY id`),
  failing: database.prepare<StoredWebhook, [number]>(
    `SELECT ${columns} FROM webhook
     WHERE removed_at IS NULL AND (failing_since IS NOT NULL OR switched_off_at IS NOT NULL) ORDER BY id LIMIT ?`,
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
  // A following secret whose time came has become the present one.
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
});

export class WebhookTable {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #drizzle: Drizzle;
  /**
   * By account. Asked at every change of every status, so it must not cost a query. It holds what the present transaction
   * sees: whoever changes a webhook forgets its account's entry inside that transaction and again when it has ended.
   */
  readonly #active = new Map<number, readonly WebhookRow[]>();

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

  /** Also a removed one: its deliveries still name it. */
  byId(id: number): WebhookRow | null {
    const stored = this.#sql.byId.get(id);
    return stored === null ? null : rowOf(stored);
  }

  /** Any account's, also a removed one. */
  byPublicIdAnywhere(publicId: string): WebhookRow | null {
    const stored = this.#sql.byPublicId.get(publicId);
    return stored === null ? null : rowOf(stored);
  }

  /** The account's webhook of this id; null when it is another account's or was removed. */
  byPublicId(accountId: number, publicId: string): WebhookRow | null {
    const row = this.byPublicIdAnywhere(publicId);
    return row?.accountId === accountId && row.removedAt === null ? row : null;
  }

  /** Those that are not removed, in the order of their creation. */
  ofAccount(accountId: number): WebhookRow[] {
    return this.#sql.ofAccount.all(accountId).map(rowOf);
  }

  /** As `ofAccount`, of every account. */
  all(): WebhookRow[] {
    return this.#sql.all.all().map(rowOf);
  }

  /** Of `all`, or of one account; the failing first. Searched by URL, id and the account's name. */
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

  /** Of `all`, those whose every callback fails, or that the service has switched off for it. */
  failing(limit: number): WebhookRow[] {
    return this.#sql.failing.all(limit).map(rowOf);
  }

  /** Of `all`, those that the service has switched off. */
  switchedOff(limit: number): WebhookRow[] {
    return this.#sql.switchedOff.all(limit).map(rowOf);
  }

  countSwitchedOff(): number {
    return this.#sql.countSwitchedOff.get()?.webhooks ?? 0;
  }

  /** Switching one off ends its waiting deliveries, whatever comes later. */
  change(row: WebhookRow, to: { events: readonly EventKind[]; active: boolean; at: number }): void {
    this.#active.delete(row.accountId);
    if (row.active && !to.active) this.#sql.stop.run(row.id);
    if (!row.active && to.active) this.#sql.setSwitchedOff.run(row.id, null);
    this.#sql.change.run(row.id, to.events.join(" "), Number(to.active), to.at);
  }

  setHealth(id: number, { isSlow, failingSince, failedAt }: WebhookHealth): void {
    this.#sql.setHealth.run(id, Number(isSlow), failingSince, failedAt);
  }

  /** The service gives it up. Whoever switches it on again begins anew. */
  switchOff(row: WebhookRow, at: number): void {
    this.change(row, { events: row.events, active: false, at });
    this.#sql.setSwitchedOff.run(row.id, at);
  }

  /** The secret that signs from `from` (epoch ms) on, in place of one that was to follow. */
  setNextSecret(row: WebhookRow, sealed: Uint8Array, { from, now }: { from: number; now: number }): void {
    this.#active.delete(row.accountId);
    this.#sql.setNextSecret.run(row.id, sealed, from, now);
  }

  /** The following secret becomes the present one; false where there is none. */
  switchSecret(row: WebhookRow): boolean {
    this.#active.delete(row.accountId);
    return this.#sql.switchSecret.run(row.id).changes > 0;
  }

  /** Every delivery up to `through` says by itself that it ended. */
  stopNoted(id: number, through: number): void {
    this.#sql.stopNoted.run(id, through);
  }

  remove(row: WebhookRow, at: number): void {
    this.#active.delete(row.accountId);
    this.#sql.stop.run(row.id);
    this.#sql.remove.run(row.id, at);
  }

  /** The account's active webhooks that subscribe to this kind. */
  listening(accountId: number, kind: EventKind): readonly WebhookRow[] {
    return this.#activeOf(accountId).filter((row) => row.events.includes(kind));
  }

  /** To be called by whoever changed one, once the change is committed or failed. */
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
