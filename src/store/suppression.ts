/** Lists of numbers that must not receive messages: one for all accounts, and one per account. */
import type { Database } from "bun:sqlite";
import { everyAccount, type SuppressionSource, suppressedNumber } from "../domain/suppression.ts";
import { columnsOf, insertInto, type RowOf, replaceInto } from "./columns.ts";
import { erasedSuppression, suppression, suppressionAddition } from "./schema.ts";

const additionColumns = columnsOf(suppressionAddition, "source", "detail", "addedAt", "confirmationId");
const entryColumns = `${columnsOf(suppression)}, ${additionColumns}`;
const entries = `SELECT ${entryColumns} FROM suppression
  JOIN suppression_addition ON suppression_addition.id = suppression.addition_id`;

/** A number on a list. `recipient`: E.164 without its plus. */
export type SuppressionEntry = typeof suppression.$inferSelect & RowOf<typeof additionColumns>;
export type NewAddition = Omit<typeof suppressionAddition.$inferSelect, "id" | "confirmationId">;

/** The keyed hash of a number in E.164. */
export type HashRecipient = (e164: string) => Uint8Array;

interface Place {
  accountId: number;
  recipient: number;
}

const prepare = (database: Database) => ({
  holds: database.prepare<{ held: 1 }, [number, number]>(
    "SELECT 1 AS held FROM suppression WHERE account_id = ? AND recipient = ?",
  ),
  inList: database.prepare<SuppressionEntry, [number, number]>(
    `${entries} WHERE suppression.account_id = ? AND recipient = ? AND is_pending = 0`,
  ),
  page: database.prepare<SuppressionEntry, [number, number, number]>(
    `${entries} WHERE suppression.account_id = ? AND recipient > ? AND is_pending = 0 ORDER BY recipient LIMIT ?`,
  ),
  pageOfAll: database.prepare<SuppressionEntry, [number, number, number]>(
    `${entries} WHERE (suppression.account_id, recipient) > (?, ?) AND is_pending = 0
     ORDER BY suppression.account_id, recipient LIMIT ?`,
  ),
  nextList: database.prepare<{ accountId: number }, [number]>(
    "SELECT account_id AS accountId FROM suppression WHERE account_id > ? ORDER BY account_id LIMIT 1",
  ),
  insertAddition: database.prepare(
    insertInto(suppressionAddition, "accountId", "source", "detail", "addedAt", "isPending"),
  ),
  // A number from an import that is incomplete, and may stay so, belongs to whoever adds it next.
  insert: database.prepare(
    `${insertInto(suppression, "accountId", "recipient", "additionId")}
     ON CONFLICT (account_id, recipient) DO UPDATE SET addition_id = excluded.addition_id
     WHERE addition_id IN (SELECT id FROM suppression_addition WHERE is_pending = 1) AND addition_id <> excluded.addition_id`,
  ),
  remove: database.prepare("DELETE FROM suppression WHERE account_id = ? AND recipient = ?"),
  removeSingleAddition: database.prepare("DELETE FROM suppression_addition WHERE id = ? AND source <> 'import'"),
  removeAddition: database.prepare("DELETE FROM suppression_addition WHERE id = ?"),
  setConfirmation: database.prepare("UPDATE suppression_addition SET confirmation_id = ?2 WHERE id = ?1"),
  complete: database.prepare("UPDATE suppression_addition SET is_pending = 0 WHERE id = ?"),
  pending: database.prepare<{ id: number; accountId: number }, []>(
    "SELECT id, account_id AS accountId FROM suppression_addition WHERE is_pending = 1",
  ),
  erasedIn: database.prepare<{ source: SuppressionSource; addedAt: number }, [number, Uint8Array]>(
    "SELECT source, added_at AS addedAt FROM erased_suppression WHERE account_id = ? AND recipient_hash = ?",
  ),
  erasedLists: database.prepare<{ accountId: number }, []>(
    "SELECT DISTINCT account_id AS accountId FROM erased_suppression",
  ),
  insertErased: database.prepare(replaceInto(erasedSuppression, "accountId", "recipientHash", "source", "addedAt")),
  removeErased: database.prepare("DELETE FROM erased_suppression WHERE account_id = ? AND recipient_hash = ?"),
  walk: database.prepare<Place & { additionId: number }, [number, number, number]>(
    `SELECT ${columnsOf(suppression)} FROM suppression WHERE account_id = ? AND recipient > ? ORDER BY recipient LIMIT ?`,
  ),
});

export class SuppressionTable {
  readonly #sql: ReturnType<typeof prepare>;
  /** Accounts whose list may have entries: if there are none, no look-up is needed. */
  readonly #lists = new Set<number>();
  readonly #erasedLists = new Set<number>();
  #hashOf: HashRecipient | null = null;

  constructor(database: Database) {
    this.#sql = prepare(database);
    for (const accountId of this.lists()) this.#lists.add(accountId);
    for (const { accountId } of this.#sql.erasedLists.all()) this.#erasedLists.add(accountId);
  }

  /** Until this is called, erased numbers are on no list. */
  setHash(hashOf: HashRecipient): void {
    this.#hashOf = hashOf;
  }

  /** Why the account must not send to this number (E.164); the list of all accounts takes precedence over its own. */
  find(accountId: number, recipient: string): SuppressionEntry | null {
    if (this.#lists.size === 0 && this.#erasedLists.size === 0) return null;
    const number = suppressedNumber(recipient);
    return number === null ? null : (this.#look(everyAccount, number) ?? this.#look(accountId, number));
  }

  /** Runs at each claim: nearly always the number is on no list. */
  #look(accountId: number, recipient: number): SuppressionEntry | null {
    const isHeld = this.#lists.has(accountId) && this.#sql.holds.get(accountId, recipient) !== null;
    return isHeld ? this.inList(accountId, recipient) : this.#erasedIn(accountId, recipient);
  }

  /** Also finds an erased number. */
  inList(accountId: number, recipient: number): SuppressionEntry | null {
    return this.#sql.inList.get(accountId, recipient) ?? this.#erasedIn(accountId, recipient);
  }

  #erasedIn(accountId: number, recipient: number): SuppressionEntry | null {
    if (!this.#erasedLists.has(accountId) || this.#hashOf === null) return null;
    const erased = this.#sql.erasedIn.get(accountId, this.#hashOf(`+${recipient}`));
    return erased === null
      ? null
      : { accountId, recipient, additionId: 0, detail: "", confirmationId: null, ...erased };
  }

  /** Keeps the number on this list only as a hash; false if it was not on it in plain text. */
  erase(accountId: number, recipient: number): boolean {
    const entry = this.#sql.inList.get(accountId, recipient);
    if (entry === null || this.#hashOf === null) return false;
    this.#erasedLists.add(accountId);
    this.#sql.insertErased.run(accountId, this.#hashOf(`+${recipient}`), entry.source, entry.addedAt);
    this.#sql.remove.run(accountId, recipient);
    this.#sql.removeSingleAddition.run(entry.additionId);
    return true;
  }

  /** Up to `limit` entries of a list with numbers above `after`, in order. */
  page(accountId: number, after: number, limit: number): SuppressionEntry[] {
    return this.#sql.page.all(accountId, after, limit);
  }

  /**
   * Up to `limit` entries of all lists, in order, that of all accounts first; starts after the entry of this list and
   * number.
   */
  pageOfAll(accountId: number, recipient: number, limit: number): SuppressionEntry[] {
    return this.#sql.pageOfAll.all(accountId, recipient, limit);
  }

  /** Up to `limit` numbers of a list above `after`, including those of an incomplete import. */
  numbers(accountId: number, after: number, limit: number): number[] {
    return this.#sql.walk.all(accountId, after, limit).map(({ recipient }) => recipient);
  }

  /** Account ids whose list may contain the number, including erased numbers. */
  allLists(): number[] {
    return [...new Set([...this.#lists, ...this.#erasedLists])].sort((a, b) => a - b);
  }

  /** Account ids whose list has entries in plain text; one index seek each. */
  lists(): number[] {
    const lists: number[] = [];
    for (let list = this.#sql.nextList.get(-1); list !== null; list = this.#sql.nextList.get(list.accountId)) {
      lists.push(list.accountId);
    }
    return lists;
  }

  /** Returns the id of the addition, for `put` to add its numbers under. */
  begin({ accountId, source, detail, addedAt, isPending }: NewAddition): number {
    // Kept even if the transaction rolls back: the set may name too many lists.
    this.#lists.add(accountId);
    return Number(this.#sql.insertAddition.run(accountId, source, detail, addedAt, isPending).lastInsertRowid);
  }

  /** False if the number was already on the list. */
  put(accountId: number, recipient: number, additionId: number): boolean {
    return this.#sql.insert.run(accountId, recipient, additionId).changes === 1;
  }

  /** Adds one number to the list and returns the addition's id; null if it was already there. */
  add(addition: Omit<NewAddition, "isPending">, recipient: number): number | null {
    if (this.inList(addition.accountId, recipient) !== null) return null;
    const id = this.begin({ ...addition, isPending: 0 });
    this.put(addition.accountId, recipient, id);
    return id;
  }

  /** Returns the removed entry; null if there was none. */
  remove(accountId: number, recipient: number): SuppressionEntry | null {
    const entry = this.inList(accountId, recipient);
    if (entry === null) return null;
    this.#sql.remove.run(accountId, recipient);
    this.#sql.removeSingleAddition.run(entry.additionId);
    if (this.#hashOf !== null) this.#sql.removeErased.run(accountId, this.#hashOf(`+${recipient}`));
    return entry;
  }

  /** Lets this message reach the number despite the list. */
  setConfirmation(additionId: number, messageId: number): void {
    this.#sql.setConfirmation.run(additionId, messageId);
  }

  /** The numbers of an import take effect with this commit. */
  complete(additionId: number): void {
    this.#sql.complete.run(additionId);
  }

  /** Imports that were begun but not completed. */
  pending(): { id: number; accountId: number }[] {
    return this.#sql.pending.all();
  }

  /**
   * Of the next `limit` numbers of the list after `after`, removes those of this import. Returns where to continue, or
   * null at the end, where the import itself is removed.
   */
  discard({ id, accountId }: { id: number; accountId: number }, after: number, limit: number): number | null {
    const rows = this.#sql.walk.all(accountId, after, limit);
    for (const row of rows) if (row.additionId === id) this.#sql.remove.run(accountId, row.recipient);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    if (last !== undefined) return last.recipient;
    this.#sql.removeAddition.run(id);
    return null;
  }
}
