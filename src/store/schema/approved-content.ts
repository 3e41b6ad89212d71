/** Tables of approved groups and their members, patterns, approvals, and runs stored in slices (migration 4). */
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PatternVariable } from "../../domain/pattern.ts";

export const approvedGroup = sqliteTable("approved_group", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  status: text("status", { enum: ["draft", "approved", "suspended"] }).notNull(),
  approvedListId: integer("approved_list_id"),
  draftListId: integer("draft_list_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

export const memberList = sqliteTable("member_list", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  groupId: integer("group_id").notNull(),
  memberCount: integer("member_count").notNull(),
  createdAt: integer("created_at").notNull(),
  approvedAt: integer("approved_at"),
  approvedBy: text("approved_by"),
});

export const groupMember = sqliteTable(
  "group_member",
  {
    listId: integer("list_id").notNull(),
    position: integer("position").notNull(),
    recipient: text("recipient").notNull(),
    firstName: text("first_name"),
    lastName: text("last_name"),
    fullName: text("full_name"),
  },
  (table) => [primaryKey({ columns: [table.listId, table.position] })],
);

export const pattern = sqliteTable("pattern", {
  id: integer("id").primaryKey(),
  accountId: integer("account_id").notNull(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  status: text("status", { enum: ["draft", "approved", "suspended"] }).notNull(),
  text: text("text").notNull(),
  variables: text("variables", { mode: "json" }).$type<readonly PatternVariable[]>().notNull(),
  sender: text("sender"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  approvedAt: integer("approved_at"),
  approvedBy: text("approved_by"),
  /** The regulator's id for the text, in countries that register texts. */
  templateId: text("template_id"),
});

/** Messages from patterns that have a template id; the pattern of other messages is not recorded. */
export const messageTemplate = sqliteTable("message_template", {
  messageId: integer("message_id").primaryKey(),
  patternId: integer("pattern_id").notNull(),
});

export const approval = sqliteTable("approval", {
  id: integer("id").primaryKey(),
  subject: text("subject", { enum: ["group", "pattern"] }).notNull(),
  subjectId: integer("subject_id").notNull(),
  action: text("action", { enum: ["approved", "suspended"] }).notNull(),
  decidedBy: text("decided_by").notNull(),
  decidedAt: integer("decided_at").notNull(),
  memberCount: integer("member_count"),
});

export const stagedRun = sqliteTable("staged_run", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  firstMessageId: integer("first_message_id").notNull(),
  messageCount: integer("message_count").notNull(),
  publishedAt: integer("published_at"),
  releasedCount: integer("released_count").notNull(),
});
