/** Lists of numbers that must not get messages: one for all accounts, one for each account. */
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
  // A number of an import that is not complete, and may never be, belongs to whoever names it next.
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
  /** Accounts whose list may hold something: with none, nothing is looked up. */
  readonly #lists = new Set<number>();
  readonly #erasedLists = new Set<number>();
  #hashOf: HashRecipient | null = null;

  constructor(database: Database) {
    this.#sql = prepare(database);
    for (const accountId of this.lists()) this.#lists.add(accountId);
    for (const { accountId } of this.#sql.erasedLists.all()) this.#erasedLists.add(accountId);
  }

  /** Before this the numbers that were erased are on no list. */
  setHash(hashOf: HashRecipient): void {
    this.#hashOf = hashOf;
  }

  /** Why the account's messages must not reach this number (E.164), by the list of all accounts before its own. */
  find(accountId: number, recipient: string): SuppressionEntry | null {
    if (this.#lists.size === 0 && this.#erasedLists.size === 0) return null;
    const number = suppressedNumber(recipient);
    return number === null ? null : (this.#look(everyAccount, number) ?? this.#look(accountId, number));
  }

  /** For each claim: nearly always the number is on no list. */
  #look(accountId: number, recipient: number): SuppressionEntry | null {
    const isHeld = this.#lists.has(accountId) && this.#sql.holds.get(accountId, recipient) !== null;
    return isHeld ? this.inList(accountId, recipient) : this.#erasedIn(accountId, recipient);
  }

  /** Also for a number that was erased. */
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

  /** From now on the number is on this list as a hash alone; false where it was not on it in plain. */
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

  /** Up to `limit` entries of every list, that of all accounts first, in order; those after the entry of this list and number. */
  pageOfAll(accountId: number, recipient: number, limit: number): SuppressionEntry[] {
    return this.#sql.pageOfAll.all(accountId, recipient, limit);
  }

  /** Up to `limit` numbers of a list above `after`, those of an import that is not complete too. */
  numbers(accountId: number, after: number, limit: number): number[] {
    return this.#sql.walk.all(accountId, after, limit).map(({ recipient }) => recipient);
  }

  /** Account ids whose list may hold the number, erased ones too. */
  allLists(): number[] {
    return [...new Set([...this.#lists, ...this.#erasedLists])].sort((a, b) => a - b);
  }

  /** Account ids whose list holds something in plain, found by one seek each. */
  lists(): number[] {
    const lists: number[] = [];
    for (let list = this.#sql.nextList.get(-1); list !== null; list = this.#sql.nextList.get(list.accountId)) {
      lists.push(list.accountId);
    }
    return lists;
  }

  /** Returns the id of the addition, under which `put` adds its numbers. */
  begin({ accountId, source, detail, addedAt, isPending }: NewAddition): number {
    // Also where the transaction does not stand: then the set only says more than there is.
    this.#lists.add(accountId);
    return Number(this.#sql.insertAddition.run(accountId, source, detail, addedAt, isPending).lastInsertRowid);
  }

  /** False where the number was on the list already. */
  put(accountId: number, recipient: number, additionId: number): boolean {
    return this.#sql.insert.run(accountId, recipient, additionId).changes === 1;
  }

  /** Puts one number on the list; null where it was there already, else the addition's id. */
  add(addition: Omit<NewAddition, "isPending">, recipient: number): number | null {
    if (this.inList(addition.accountId, recipient) !== null) return null;
    const id = this.begin({ ...addition, isPending: 0 });
    this.put(addition.accountId, recipient, id);
    return id;
  }

  /** Returns what was on the list; null where it was not. */
  remove(accountId: number, recipient: number): SuppressionEntry | null {
    const entry = this.inList(accountId, recipient);
    if (entry === null) return null;
    this.#sql.remove.run(accountId, recipient);
    this.#sql.removeSingleAddition.run(entry.additionId);
    if (this.#hashOf !== null) this.#sql.removeErased.run(accountId, this.#hashOf(`+${recipient}`));
    return entry;
  }

  /** This message may reach the number in spite of the list. */
  setConfirmation(additionId: number, messageId: number): void {
    this.#sql.setConfirmation.run(additionId, messageId);
  }

  /** From this commit on the numbers of an import count. */
  complete(additionId: number): void {
    this.#sql.complete.run(additionId);
  }

  /** Imports that were begun and are not complete. */
  pending(): { id: number; accountId: number }[] {
    return this.#sql.pending.all();
  }

  /**
   * Looks at the next `limit` numbers of the list after `after` and removes those of this import. Returns where to go on, or null at
   * the end, where the import itself is removed.
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
