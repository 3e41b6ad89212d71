/** Webhooks: where an account wants to hear of its events, and which of them listen to what. */
import type { Database } from "bun:sqlite";
import { type EventKind, isEventKind } from "../domain/event.ts";

export interface WebhookRow {
  id: number;
  publicId: string;
  accountId: number;
  url: string;
  events: readonly EventKind[];
  active: boolean;
  sealedSecret: Uint8Array;
  /** Deliveries up to this id ended when the webhook was last switched off; 0 once each row says so itself. */
  stoppedThrough: number;
  createdAt: number;
  updatedAt: number;
  removedAt: number | null;
}

export type NewWebhook = Omit<WebhookRow, "id" | "stoppedThrough" | "removedAt">;

type Stored = Omit<WebhookRow, "events" | "active"> & { events: string; active: number };

const rowOf = ({ events, active, ...rest }: Stored): WebhookRow => ({
  ...rest,
  events: events.split(" ").filter(isEventKind),
  active: active === 1,
});

const columns = `id, public_id AS publicId, account_id AS accountId, url, events, active, sealed_secret AS sealedSecret,
  stopped_through AS stoppedThrough, created_at AS createdAt, updated_at AS updatedAt, removed_at AS removedAt`;

export type WebhookTable = ReturnType<typeof webhookTable>;

export function webhookTable(database: Database) {
  const insertion = database.prepare<Stored, [string, number, string, string, number, Uint8Array, number, number]>(
    `INSERT INTO webhook (public_id, account_id, url, events, active, sealed_secret, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const byId = database.prepare<Stored, [number]>(`SELECT ${columns} FROM webhook WHERE id = ?`);
  const byPublicId = database.prepare<Stored, [string]>(`SELECT ${columns} FROM webhook WHERE public_id = ?`);
  const ofAccount = database.prepare<Stored, [number]>(
    `SELECT ${columns} FROM webhook WHERE account_id = ? AND removed_at IS NULL ORDER BY id`,
  );
  const all = database.prepare<Stored, []>(`SELECT ${columns} FROM webhook WHERE removed_at IS NULL ORDER BY id`);
  const change = database.prepare<null, [number, string, number, number]>(
    "UPDATE webhook SET events = ?2, active = ?3, updated_at = ?4 WHERE id = ?1",
  );
  const stop = database.prepare<null, [number]>(
    `UPDATE webhook SET active = 0, stopped_through = max(stopped_through, (SELECT coalesce(max(id), 0) FROM delivery))
     WHERE id = ?`,
  );
  const stopNoted = database.prepare<null, [number, number]>(
    "UPDATE webhook SET stopped_through = 0 WHERE id = ? AND stopped_through = ?",
  );
  const removal = database.prepare<null, [number, number]>(
    "UPDATE webhook SET removed_at = ?2, updated_at = ?2 WHERE id = ?1",
  );

  /**
   * Asked at every change of every status, so it must not cost a query. It holds what the present transaction sees: whoever
   * changes a webhook forgets its account's entry inside that transaction and again when it has ended, either way.
   */
  const active = new Map<number, readonly WebhookRow[]>();

  function activeOf(accountId: number): readonly WebhookRow[] {
    const known = active.get(accountId);
    if (known !== undefined) return known;
    const read = ofAccount
      .all(accountId)
      .map(rowOf)
      .filter((row) => row.active);
    active.set(accountId, read);
    return read;
  }

  const found = (row: Stored | null) => (row === null ? null : rowOf(row));

  return {
    insert: (w: NewWebhook): WebhookRow => {
      const row = insertion.get(
        w.publicId,
        w.accountId,
        w.url,
        w.events.join(" "),
        w.active ? 1 : 0,
        w.sealedSecret,
        w.createdAt,
        w.updatedAt,
      );
      if (row === null) throw new Error("An inserted webhook gave no row");
      active.delete(w.accountId);
      return rowOf(row);
    },

    /** Also a removed one: its deliveries still name it. */
    byId: (id: number): WebhookRow | null => found(byId.get(id)),

    /** Any account's, also a removed one. */
    byPublicIdAnywhere: (publicId: string): WebhookRow | null => found(byPublicId.get(publicId)),

    /** The account's webhook of this id; null when it is another account's or was removed. */
    byPublicId(accountId: number, publicId: string): WebhookRow | null {
      const row = found(byPublicId.get(publicId));
      return row?.accountId === accountId && row.removedAt === null ? row : null;
    },

    /** Those that are not removed, in the order of their creation. */
    ofAccount: (accountId: number): WebhookRow[] => ofAccount.all(accountId).map(rowOf),
    all: (): WebhookRow[] => all.all().map(rowOf),

    /** Switching one off ends what it had waiting, whatever comes later. */
    change(row: WebhookRow, to: { events: readonly EventKind[]; active: boolean; at: number }): void {
      active.delete(row.accountId);
      if (row.active && !to.active) stop.run(row.id);
      change.run(row.id, to.events.join(" "), to.active ? 1 : 0, to.at);
    },

    /** Every delivery up to `through` says by itself that it ended. */
    stopNoted: (id: number, through: number): void => void stopNoted.run(id, through),

    remove(row: WebhookRow, at: number): void {
      active.delete(row.accountId);
      stop.run(row.id);
      removal.run(row.id, at);
    },

    /** The account's active webhooks that want this kind. */
    listening: (accountId: number, kind: EventKind): readonly WebhookRow[] =>
      activeOf(accountId).filter((row) => row.events.includes(kind)),

    /** For whoever changed one, once the change is committed or failed. */
    forget: (accountId: number): void => void active.delete(accountId),
  };
}
