/** The members of lists, in the order of their import. */
import type { Database } from "bun:sqlite";
import type { Member } from "../domain/personalisation.ts";

export type GroupMemberTable = ReturnType<typeof groupMemberTable>;

export function groupMemberTable(database: Database) {
  const insertion = database.prepare(
    `INSERT INTO group_member (list_id, position, recipient, first_name, last_name, full_name) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const filling = database.prepare(
    `UPDATE group_member SET first_name = coalesce(first_name, ?3), last_name = coalesce(last_name, ?4),
       full_name = coalesce(full_name, ?5)
     WHERE list_id = ?1 AND position = ?2`,
  );
  const slice = database.prepare<Member, [number, number, number]>(
    `SELECT recipient, first_name AS firstName, last_name AS lastName, full_name AS fullName FROM group_member
     WHERE list_id = ? AND position >= ? ORDER BY position LIMIT ?`,
  );
  const removal = database.prepare(
    `DELETE FROM group_member WHERE list_id = ?1 AND position IN
       (SELECT position FROM group_member WHERE list_id = ?1 ORDER BY position LIMIT ?2)`,
  );

  return {
    insert(listId: number, position: number, { recipient, firstName, lastName, fullName }: Member): void {
      insertion.run(listId, position, recipient, firstName, lastName, fullName);
    },
    /** A repeated member adds the names that it lacks. */
    fill(listId: number, position: number, { firstName, lastName, fullName }: Member): void {
      filling.run(listId, position, firstName, lastName, fullName);
    },
    /** Up to `limit` members from `position` on; positions are 0 to the count less one, without a gap. */
    slice: (listId: number, position: number, limit: number): Member[] => slice.all(listId, position, limit),
    /** Removes up to `limit` members; true once none is left. */
    removeSlice: (listId: number, limit: number): boolean => removal.run(listId, limit).changes < limit,
  };
}
