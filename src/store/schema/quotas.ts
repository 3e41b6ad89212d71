/** The table of quotas (migration 22). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const quotaSubjects = ["account", "key"] as const;
export const quotaPeriods = ["day", "month"] as const;

export const quota = sqliteTable(
  "quota",
  {
    subject: text("subject", { enum: quotaSubjects }).notNull(),
    subjectId: integer("subject_id").notNull(),
    period: text("period", { enum: quotaPeriods }).notNull(),
    partsMax: integer("parts_max").notNull(),
    startsAt: integer("starts_at").notNull(),
    partsUsed: integer("parts_used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subject, table.subjectId, table.period] })],
);
