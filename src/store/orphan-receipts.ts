/** Receipts that arrived before the answer to their submit, or that match no part. */
import type { Database } from "bun:sqlite";
import { isSameId, mayName } from "../domain/provider-id.ts";
import { columnsOf, insertInto, type RowOf } from "./columns.ts";
import { orphanReceipt } from "./schema.ts";

const reportColumns = columnsOf(
  orphanReceipt,
  "id",
  "providerId",
  "spelling",
  "spellings",
  "anyWidth",
  "state",
  "errorCode",
  "detail",
  "numberEnds",
);
const unmatchedColumns = columnsOf(orphanReceipt, "providerId", "state", "detail", "receivedAt");

type OrphanRow = RowOf<typeof reportColumns>;
type OrphanReport = Pick<OrphanRow, "state" | "errorCode" | "detail">;

export interface OrphanReceipt extends OrphanReport {
  routeId: number;
  /** Every spelling of the id that the answer to the submit may have used. */
  providerIds: readonly string[];
  /** The answer may have more or fewer leading zeros. */
  anyWidth: boolean;
  /** Of the numbers that it names; see `numberEndsOf`. */
  numberEnds: string;
  at: number;
}

/** An unmatched receipt as the operator sees it, under the id that was looked up first. */
export type UnmatchedReceipt = RowOf<typeof unmatchedColumns>;

const prepare = (database: Database) => ({
  insert: database.prepare(
    insertInto(
      orphanReceipt,
      "routeId",
      "providerId",
      "spelling",
      "spellings",
      "state",
      "errorCode",
      "detail",
      "at",
      "receivedAt",
      "anyWidth",
      "numberEnds",
    ),
  ),
  byProviderId: database.prepare<OrphanRow, [number, string]>(
    `SELECT ${reportColumns} FROM orphan_receipt WHERE route_id = ? AND ltrim(provider_id, '0') = ltrim(?, '0')`,
  ),
  remove: database.prepare("DELETE FROM orphan_receipt WHERE id BETWEEN ? AND ?"),
  prune: database.prepare(
    "DELETE FROM orphan_receipt WHERE id IN (SELECT id FROM orphan_receipt WHERE received_at < ? LIMIT ?)",
  ),
  newestOfRoute: database.prepare<UnmatchedReceipt, [number, number]>(
    `SELECT ${unmatchedColumns} FROM orphan_receipt WHERE route_id = ? AND spelling = 0 ORDER BY id DESC LIMIT ?`,
  ),
  any: database.prepare("SELECT 1 FROM orphan_receipt LIMIT 1"),
});

export class OrphanReceiptTable {
  readonly #sql: ReturnType<typeof prepare>;
  /**
   * Most carriers answer before they report, and then the look-up for every accepted part would be wasted. Only a check
   * outside a transaction may conclude that the table is empty: inside, a rollback could restore rows.
   */
  #mayHaveSome = true;

  constructor(private readonly database: Database) {
    this.#sql = prepare(database);
  }

  insert(orphan: OrphanReceipt, receivedAt: number): void {
    const { routeId, providerIds, anyWidth, numberEnds, state, errorCode, detail, at } = orphan;
    const spellings = providerIds.length;
    this.#mayHaveSome = true;
    for (const [spelling, providerId] of providerIds.entries()) {
      const { insert } = this.#sql;
      const wide = anyWidth ? 1 : 0;
      const texts = [state, errorCode, detail] as const;
      insert.run(routeId, providerId, spelling, spellings, ...texts, at, receivedAt, wide, numberEnds);
    }
  }

  /**
   * The receipts that waited for this part of the message, oldest first. Removes them with their other spellings. One
   * that names somebody else is of an earlier message with this id.
   */
  take(routeId: number, providerId: string, message: { sender: string; recipient: string }): OrphanReport[] {
    if (!this.#mayHaveSome) return [];
    const meant = this.#sql.byProviderId
      .all(routeId, providerId)
      .filter((row) => isSameId(providerId, row.providerId, row.anyWidth === 1) && mayName(row.numberEnds, message));
    const found = meant.sort((a, b) => a.id - b.id);
    for (const { id, spelling, spellings } of found) {
      this.#sql.remove.run(id - spelling, id - spelling + spellings - 1);
    }
    return found;
  }

  /** Checks whether any receipt is waiting. Call from time to time, outside a transaction. */
  look(): void {
    if (this.database.inTransaction) throw new Error("Orphan receipts are looked for outside of transactions only");
    this.#mayHaveSome = this.#sql.any.get() !== null;
  }

  /** The newest unmatched receipts of a route, newest first. */
  unmatched(routeId: number, limit: number): UnmatchedReceipt[] {
    return this.#sql.newestOfRoute.all(routeId, limit);
  }

  /** Removes up to `limit` receipts received before that time. Returns the number removed. */
  prune(receivedBefore: number, limit: number): number {
    return this.#sql.prune.run(receivedBefore, limit).changes;
  }
}
