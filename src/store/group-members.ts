/** The members of lists, in import order. */
import type { Database } from "bun:sqlite";
import type { Member } from "../domain/personalisation.ts";
import { columnsOf, insertInto } from "./columns.ts";
import { groupMember } from "./schema.ts";

const memberColumns = columnsOf(groupMember, "recipient", "firstName", "lastName", "fullName");

const prepare = (database: Database) => ({
  insert: database.prepare(
    insertInto(groupMember, "listId", "position", "recipient", "firstName", "lastName", "fullName"),
  ),
  fill: database.prepare(
    `UPDATE group_member SET first_name = coalesce(first_name, ?3), last_name = coalesce(last_name, ?4),
       full_name = coalesce(full_name, ?5)
     WHERE list_id = ?1 AND position = ?2`,
  ),
  slice: database.prepare<Member, [number, number, number]>(
    `SELECT ${memberColumns} FROM group_member WHERE list_id = ? AND position >= ? ORDER BY position LIMIT ?`,
  ),
  remove: database.prepare(
    `DELETE FROM group_member WHERE list_id = ?1 AND position IN
       (SELECT position FROM group_member WHERE list_id = ?1 ORDER BY position LIMIT ?2)`,
  ),
});

export class GroupMemberTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  insert(listId: number, position: number, { recipient, firstName, lastName, fullName }: Member): void {
    this.#sql.insert.run(listId, position, recipient, firstName, lastName, fullName);
  }

  /** A repeated member fills in the names that are missing. */
  fill(listId: number, position: number, { firstName, lastName, fullName }: Member): void {
    this.#sql.fill.run(listId, position, firstName, lastName, fullName);
  }

  /** Up to `limit` members starting at `position`; positions run from 0 to the count less one, without gaps. */
  slice(listId: number, position: number, limit: number): Member[] {
    return this.#sql.slice.all(listId, position, limit);
  }

  /** Removes up to `limit` members; true once none are left. */
  removeSlice(listId: number, limit: number): boolean {
    return this.#sql.remove.run(listId, limit).changes < limit;
  }
}
