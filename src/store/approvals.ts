/** Approvals: who approved or suspended a group or a pattern, and when. Rows are never changed. */
import { and, asc, count, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { ListRange } from "../domain/list-part.ts";
import type { Drizzle } from "./drizzle.ts";
import { account, approval, approvedGroup, memberList, pattern } from "./schema.ts";
import { isAmong, partOfTable } from "./table-part.ts";

export type ApprovalRow = typeof approval.$inferSelect;
export type NewApproval = Omit<ApprovalRow, "id">;

interface WaitingKey {
  kind: "group" | "pattern";
  id: number;
}

export class ApprovalTable {
  constructor(private readonly drizzle: Drizzle) {}

  insert(row: NewApproval): void {
    this.drizzle.insert(approval).values(row).run();
  }

  /** Groups with members, and patterns, that nobody has approved yet. */
  countWaiting(): number {
    const groups = this.drizzle
      .select({ waiting: count() })
      .from(approvedGroup)
      .innerJoin(memberList, eq(memberList.id, approvedGroup.draftListId))
      .where(gt(memberList.memberCount, 0))
      .get();
    const drafts = this.drizzle.select({ waiting: count() }).from(pattern).where(eq(pattern.status, "draft")).get();
    return (groups?.waiting ?? 0) + (drafts?.waiting ?? 0);
  }

  /** The rows that `countWaiting` counts, longest waiting first. Searches code, name, account name and text. */
  waiting(range: ListRange) {
    const keys = (waiting: WaitingQuery, where?: SQL) => {
      const { kind, id } = waiting;
      return this.drizzle
        .select({ kind, id })
        .from(waiting)
        .where(where)
        .orderBy(...orderOf(waiting));
    };
    return partOfTable(range, {
      count: () => this.countWaiting(),
      keys: (limit, offset): WaitingKey[] => keys(waitingQuery(this.drizzle)).limit(limit).offset(offset).all(),
      alike: (among, isAlike): WaitingKey[] => {
        const waiting = waitingQuery(this.drizzle, among);
        const { code, name, accountName, text } = waiting;
        return keys(waiting, isAlike(sql`${code} || ' ' || ${name} || ' ' || ${accountName} || ' ' || ${text}`)).all();
      },
      rows: (among) => {
        const waiting = waitingQuery(this.drizzle, among);
        return this.drizzle
          .select()
          .from(waiting)
          .orderBy(...orderOf(waiting))
          .all();
      },
    });
  }

  /** Oldest first. */
  of(subject: ApprovalRow["subject"], subjectId: number): ApprovalRow[] {
    return this.drizzle
      .select()
      .from(approval)
      .where(and(eq(approval.subject, subject), eq(approval.subjectId, subjectId)))
      .orderBy(asc(approval.id))
      .all();
  }
}

type WaitingQuery = ReturnType<typeof waitingQuery>;

const orderOf = ({ since, kind, id }: WaitingQuery) => [asc(since), asc(kind), asc(id)];

/** All waiting rows, or only those in `among`. */
function waitingQuery(drizzle: Drizzle, among?: readonly WaitingKey[]) {
  const owner = sql<string>`${account.name}`.as("account_name");
  const isOne = (kind: WaitingKey["kind"], id: SQLWrapper) => {
    if (among === undefined) return undefined;
    return isAmong(
      id,
      among.filter((one) => one.kind === kind).map((one) => one.id),
    );
  };
  const groups = drizzle
    .select({
      kind: sql<WaitingKey["kind"]>`'group'`.as("kind"),
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
    .where(and(isOne("group", approvedGroup.id), gt(memberList.memberCount, 0)));
  const patterns = drizzle
    .select({
      kind: sql<WaitingKey["kind"]>`'pattern'`.as("kind"),
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
    .where(and(isOne("pattern", pattern.id), eq(pattern.status, "draft")));
  return unionAll(groups, patterns).as("waiting");
}
