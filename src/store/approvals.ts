/** Who approved or suspended a group or a pattern, and when. What stands here is never changed. */
import { and, asc, eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { approval } from "./schema.ts";

export type ApprovalRow = typeof approval.$inferSelect;
export type NewApproval = Omit<ApprovalRow, "id">;

export type ApprovalTable = ReturnType<typeof approvalTable>;

export function approvalTable(drizzle: Drizzle) {
  return {
    insert: (row: NewApproval): void => drizzle.insert(approval).values(row).run(),
    /** Oldest first. */
    of: (subject: ApprovalRow["subject"], subjectId: number): ApprovalRow[] =>
      drizzle
        .select()
        .from(approval)
        .where(and(eq(approval.subject, subject), eq(approval.subjectId, subjectId)))
        .orderBy(asc(approval.id))
        .all(),
  };
}
