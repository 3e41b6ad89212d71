/** Approved groups: their heads, and the lists of members that they have. */
import { and, asc, eq, inArray, notInArray } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { approvedGroup, memberList } from "./schema.ts";

export type GroupRow = typeof approvedGroup.$inferSelect;
export type NewGroup = Omit<GroupRow, "id">;
export type MemberListRow = typeof memberList.$inferSelect;
export type NewMemberList = Omit<MemberListRow, "id">;

export type GroupTable = ReturnType<typeof groupTable>;

export function groupTable(drizzle: Drizzle) {
  return {
    all: (): GroupRow[] => drizzle.select().from(approvedGroup).orderBy(asc(approvedGroup.id)).all(),
    ofAccount: (accountId: number): GroupRow[] =>
      drizzle
        .select()
        .from(approvedGroup)
        .where(eq(approvedGroup.accountId, accountId))
        .orderBy(asc(approvedGroup.code))
        .all(),
    /** Groups of this code, at most one in each account. */
    byCode: (code: string): GroupRow[] =>
      drizzle.select().from(approvedGroup).where(eq(approvedGroup.code, code)).orderBy(asc(approvedGroup.id)).all(),
    byAccountAndCode: (accountId: number, code: string): GroupRow | null =>
      drizzle
        .select()
        .from(approvedGroup)
        .where(and(eq(approvedGroup.accountId, accountId), eq(approvedGroup.code, code)))
        .get() ?? null,
    byId: (id: number): GroupRow | null =>
      drizzle.select().from(approvedGroup).where(eq(approvedGroup.id, id)).get() ?? null,
    insert: (row: NewGroup): GroupRow => drizzle.insert(approvedGroup).values(row).returning().get(),
    /** Null where there is no such group. */
    update: (id: number, change: Partial<NewGroup>): GroupRow | null =>
      drizzle.update(approvedGroup).set(change).where(eq(approvedGroup.id, id)).returning().get() ?? null,

    insertList: (row: NewMemberList): MemberListRow => drizzle.insert(memberList).values(row).returning().get(),
    updateList: (id: number, change: Partial<NewMemberList>): void =>
      drizzle.update(memberList).set(change).where(eq(memberList.id, id)).run(),
    list: (id: number | null): MemberListRow | null =>
      id === null ? null : (drizzle.select().from(memberList).where(eq(memberList.id, id)).get() ?? null),
    lists: (ids: readonly number[]): MemberListRow[] =>
      drizzle
        .select()
        .from(memberList)
        .where(inArray(memberList.id, [...ids]))
        .all(),
    removeList: (id: number): void => drizzle.delete(memberList).where(eq(memberList.id, id)).run(),

    /** Lists that no group names any more, or not yet. */
    looseLists(): number[] {
      const named = drizzle
        .select({ approved: approvedGroup.approvedListId, draft: approvedGroup.draftListId })
        .from(approvedGroup)
        .all()
        .flatMap(({ approved, draft }) => [approved, draft])
        .filter((id) => id !== null);
      const loose = drizzle.select({ id: memberList.id }).from(memberList).where(notInArray(memberList.id, named));
      return loose.all().map(({ id }) => id);
    },
  };
}
