/** Approvals: who approved or suspended a group or a pattern, and when. Rows are never changed. */
import { and, asc, eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { approval } from "./schema.ts";

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
