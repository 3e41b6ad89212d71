/** Approvals: who approved or suspended a group or a pattern, and when. Rows are never changed. */
import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { ListRange } from "../domain/list-part.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, approval, approvedGroup, memberList, pattern } from "./schema.ts";
import { partOfTable } from "./table-part.ts";

export type ApprovalRow = typeof approval.$inferSelect;
export type NewApproval = Omit<ApprovalRow, "id">;

export class ApprovalTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  insert(row: NewApproval): void {
    this.#drizzle.insert(approval).values(row).run();
  }

  /** Groups with members, and patterns, that nobody has approved yet. */
  countWaiting(): number {
    const groups = this.#drizzle
      .select({ waiting: count() })
      .from(approvedGroup)
      .innerJoin(memberList, eq(memberList.id, approvedGroup.draftListId))
      .where(gt(memberList.memberCount, 0))
      .get();
    const drafts = this.#drizzle.select({ waiting: count() }).from(pattern).where(eq(pattern.status, "draft")).get();
    return (groups?.waiting ?? 0) + (drafts?.waiting ?? 0);
  }

  /** What `countWaiting` counts, the longest waiting first; searched by code, name, the account's name and text. */
  waiting(range: ListRange) {
    const waiting = this.#waiting();
    return partOfTable(range, {
      text: sql`${waiting.code} || ' ' || ${waiting.name} || ' ' || ${waiting.accountName} || ' ' || ${waiting.text}`,
      count: (where) => this.#drizzle.select({ rows: count() }).from(waiting).where(where).get()?.rows ?? 0,
      rows: (where, limit, offset) => {
        const ordered = this.#drizzle.select().from(waiting).where(where);
        return ordered
          .orderBy(asc(waiting.since), asc(waiting.kind), asc(waiting.id))
          .limit(limit)
          .offset(offset)
          .all();
      },
    });
  }

  #waiting() {
    const owner = sql<string>`${account.name}`.as("account_name");
    const groups = this.#drizzle
      .select({
        kind: sql<"group" | "pattern">`'group'`.as("kind"),
        id: sql<number>`${approvedGroup.id}`.as("id"),
        accountId: sql<number>`${approvedGroup.accountId}`.as("account_id"),
        accountName: owner,
        code: sql<string>`${approvedGroup.code}`.as("code"),
        name: sql<string>`${approvedGroup.name}`.as("name"),
        text: sql<string>`''`.as("text"),
        recipientCount: sql<number>`${memberList.memberCount}`.as("recipient_count"),
        since: sql<number>`${memberList.createdAt}`.as("since"),
      })
      .from(approvedGroup)
      .innerJoin(account, eq(account.id, approvedGroup.accountId))
      .innerJoin(memberList, eq(memberList.id, approvedGroup.draftListId))
      .where(gt(memberList.memberCount, 0));
    const patterns = this.#drizzle
      .select({
        kind: sql<"group" | "pattern">`'pattern'`.as("kind"),
        id: sql<number>`${pattern.id}`.as("id"),
        accountId: sql<number>`${pattern.accountId}`.as("account_id"),
        accountName: owner,
        code: sql<string>`${pattern.code}`.as("code"),
        name: sql<string>`${pattern.name}`.as("name"),
        text: sql<string>`${pattern.text}`.as("text"),
        recipientCount: sql<number>`0`.as("recipient_count"),
        since: sql<number>`${pattern.createdAt}`.as("since"),
      })
      .from(pattern)
      .innerJoin(account, eq(account.id, pattern.accountId))
      .where(eq(pattern.status, "draft"));
    return unionAll(groups, patterns).as("waiting");
  }

  /** Oldest first. */
  of(subject: ApprovalRow["subject"], subjectId: number): ApprovalRow[] {
    return this.#drizzle
      .select()
      .from(approval)
      .where(and(eq(approval.subject, subject), eq(approval.subjectId, subjectId)))
      .orderBy(asc(approval.id))
      .all();
  }
}
