/** Approved groups and their member lists. */

import type { Database } from "bun:sqlite";
import { and, asc, eq, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import type { ListRange, PartOfList } from "../domain/list-part.ts";
import type { Member } from "../domain/personalisation.ts";
import { columnsOf, insertInto } from "./columns.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, approvedGroup, groupMember, memberList } from "./schema.ts";
import { partOfOwned } from "./table-part.ts";

export type GroupRow = typeof approvedGroup.$inferSelect;
export type NewGroup = Omit<GroupRow, "id">;
export type MemberListRow = typeof memberList.$inferSelect;
export type NewMemberList = Omit<MemberListRow, "id">;

export class GroupTable {
  constructor(private readonly drizzle: Drizzle) {}

  all(): GroupRow[] {
    return this.drizzle.select().from(approvedGroup).orderBy(asc(approvedGroup.id)).all();
  }

  ofAccount(accountId: number): GroupRow[] {
    const owned = eq(approvedGroup.accountId, accountId);
    return this.drizzle.select().from(approvedGroup).where(owned).orderBy(asc(approvedGroup.code)).all();
  }

  /** Searches code, name and account name. Sorted by code for one account, by creation for all accounts. */
  part(range: ListRange, accountId?: number): Promise<PartOfList<GroupRow>> {
    const isListed = accountId === undefined ? undefined : eq(approvedGroup.accountId, accountId);
    const order = isListed ? approvedGroup.code : approvedGroup.id;
    return partOfOwned(this.drizzle, range, {
      table: approvedGroup,
      key: approvedGroup.id,
      accountId: approvedGroup.accountId,
      isListed,
      order: [order],
      text: sql`${approvedGroup.code} || ' ' || ${approvedGroup.name} || ' ' || ${account.name}`,
      rows: (where) => this.drizzle.select().from(approvedGroup).where(where).orderBy(order).all(),
    });
  }

  /** Groups with this code, at most one per account. */
  byCode(code: string): GroupRow[] {
    const named = eq(approvedGroup.code, code);
    return this.drizzle.select().from(approvedGroup).where(named).orderBy(asc(approvedGroup.id)).all();
  }

  byAccountAndCode(accountId: number, code: string): GroupRow | null {
    const named = and(eq(approvedGroup.accountId, accountId), eq(approvedGroup.code, code));
    return this.drizzle.select().from(approvedGroup).where(named).get() ?? null;
  }

  byId(id: number): GroupRow | null {
    return this.drizzle.select().from(approvedGroup).where(eq(approvedGroup.id, id)).get() ?? null;
  }

  insert(row: NewGroup): GroupRow {
    return this.drizzle.insert(approvedGroup).values(row).returning().get();
  }

  /** Null if there is no such group. */
  update(id: number, change: Partial<NewGroup>): GroupRow | null {
    return this.drizzle.update(approvedGroup).set(change).where(eq(approvedGroup.id, id)).returning().get() ?? null;
  }

  insertList(row: NewMemberList): MemberListRow {
    return this.drizzle.insert(memberList).values(row).returning().get();
  }

  updateList(id: number, change: Partial<NewMemberList>): void {
    this.drizzle.update(memberList).set(change).where(eq(memberList.id, id)).run();
  }

  list(id: number | null): MemberListRow | null {
    if (id === null) return null;
    return this.drizzle.select().from(memberList).where(eq(memberList.id, id)).get() ?? null;
  }

  lists(ids: readonly number[]): MemberListRow[] {
    const wanted = inArray(memberList.id, [...ids]);
    return this.drizzle.select().from(memberList).where(wanted).all();
  }

  removeList(id: number): void {
    this.drizzle.delete(memberList).where(eq(memberList.id, id)).run();
  }

  /** Lists that no group refers to, either any more or yet. */
  looseLists(): number[] {
    const { approvedListId, draftListId } = approvedGroup;
    const approved = this.drizzle.select({ id: approvedListId }).from(approvedGroup).where(isNotNull(approvedListId));
    const drafts = this.drizzle.select({ id: draftListId }).from(approvedGroup).where(isNotNull(draftListId));
    const isLoose = and(notInArray(memberList.id, approved), notInArray(memberList.id, drafts));
    const loose = this.drizzle.select({ id: memberList.id }).from(memberList).where(isLoose);
    return loose.all().map(({ id }) => id);
  }
}

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
  positionOf: database.prepare<{ position: number }, [number, string]>(
    "SELECT position FROM group_member WHERE list_id = ? AND recipient = ?",
  ),
  remove: database.prepare(
    `DELETE FROM group_member WHERE list_id = ?1 AND position IN
       (SELECT position FROM group_member WHERE list_id = ?1 ORDER BY position LIMIT ?2)`,
  ),
});

/** The members of lists, in import order. */
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

  positionOf(listId: number, recipient: string): number | null {
    return this.#sql.positionOf.get(listId, recipient)?.position ?? null;
  }

  /** Removes up to `limit` members; true once none are left. */
  removeSlice(listId: number, limit: number): boolean {
    return this.#sql.remove.run(listId, limit).changes < limit;
  }
}
