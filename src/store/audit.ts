/** The audit log: who changed what, from where and when. A row is completed once and never changed after that. */
import { and, desc, eq, gte, lt, lte, or, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Drizzle } from "./drizzle.ts";
import { auditEntry, auditOutcomes } from "./schema.ts";

export { type AuditedState, auditOutcomes } from "./schema.ts";

export type AuditRow = typeof auditEntry.$inferSelect;
export type AuditBeginning = Pick<AuditRow, "at" | "actor" | "origin" | "action" | "target" | "before">;
export type AuditEnd = Pick<AuditRow, "target" | "outcome" | "error" | "before" | "after">;

export interface AuditFilter {
  actor?: string | undefined;
  /** A full action such as `account.suspend`, or only its first word, `account`. */
  action?: string | undefined;
  target?: string | undefined;
  outcome?: AuditRow["outcome"] | undefined;
  /** Epoch milliseconds; `to` is exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  concerns?: AuditedAccount | undefined;
}

/** What the entries about one account have in common. */
export interface AuditedAccount {
  /** `acc_1`: also the beginning of the targets below it, and a field of the states of what it has. */
  id: string;
  /** Its keys and credentials, and the people who sign in for it. */
  targets: readonly string[];
  /** Those people. */
  actors: readonly string[];
}

/** One parameter: a statement with one for each of 9,000 names took 40 ms to write. */
const isAmong = (column: SQLiteColumn, values: readonly string[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** A change of anything that the account has, or by its people. */
function isAbout({ id, targets, actors }: AuditedAccount) {
  const { target, actor, before, after } = auditEntry;
  return or(
    isAmong(target, [id, ...targets]),
    sql`instr(${target}, ${`${id}/`}) = 1`,
    isAmong(actor, actors),
    sql`json_extract(${before}, '$.account') = ${id}`,
    sql`json_extract(${after}, '$.account') = ${id}`,
  );
}

export class AuditTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Returns the entry's id. */
  begin(beginning: AuditBeginning): number {
    const row = { ...beginning, outcome: auditOutcomes[0] };
    return this.drizzle.insert(auditEntry).values(row).returning({ id: auditEntry.id }).get().id;
  }

  end(id: number, end: AuditEnd): void {
    this.drizzle.update(auditEntry).set(end).where(eq(auditEntry.id, id)).run();
  }

  /** Newest first, below the id `before`. Scans the table: operators make hundreds of changes a day, not millions. */
  search(filter: AuditFilter, before: number | null, limit: number): AuditRow[] {
    const { actor, action, target, outcome, from, to, concerns } = filter;
    return this.drizzle
      .select()
      .from(auditEntry)
      .where(
        and(
          before === null ? undefined : lt(auditEntry.id, before),
          actor === undefined ? undefined : eq(auditEntry.actor, actor),
          action === undefined
            ? undefined
            : or(eq(auditEntry.action, action), sql`instr(${auditEntry.action}, ${`${action}.`}) = 1`),
          target === undefined ? undefined : eq(auditEntry.target, target),
          outcome === undefined ? undefined : eq(auditEntry.outcome, outcome),
          from === undefined ? undefined : gte(auditEntry.at, from),
          to === undefined ? undefined : lt(auditEntry.at, to),
          concerns === undefined ? undefined : isAbout(concerns),
        ),
      )
      .orderBy(desc(auditEntry.id))
      .limit(limit)
      .all();
  }

  /** Of the oldest `limit` entries, removes those older than `before`. Returns the number removed. */
  prune(before: number, limit: number): number {
    const oldest = sql`(SELECT ${auditEntry.id} FROM ${auditEntry} ORDER BY ${auditEntry.id} LIMIT ${limit})`;
    const aged = and(sql`${auditEntry.id} IN ${oldest}`, lte(auditEntry.at, before));
    return this.drizzle.delete(auditEntry).where(aged).returning({ id: auditEntry.id }).all().length;
  }
}
