/** Approvals: who approved or suspended a group or a pattern, and when. Rows are never changed. */
import { and, asc, count, eq, gt } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { approval, approvedGroup, memberList, pattern } from "./schema.ts";

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
