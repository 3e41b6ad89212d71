/** Tables of campaigns (migration 53). */
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { campaignKinds } from "../../domain/campaign.ts";

export const campaign = sqliteTable("campaign", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  accountId: integer("account_id").notNull(),
  kind: text("kind", { enum: campaignKinds }).notNull(),
  /** Further requests of the account join the campaign by this name; null if none may. */
  name: text("name"),
  /** The approved group it was sent to. */
  groupCode: text("group_code"),
  /** 0 if a person sent it. */
  apiKeyId: integer("api_key_id").notNull(),
  createdAt: integer("created_at").notNull(),
  messageCount: integer("message_count").notNull(),
});

/** The messages of one request: `messageCount` consecutive ones. */
export const campaignRun = sqliteTable("campaign_run", {
  firstMessageId: integer("first_message_id").primaryKey(),
  campaignId: integer("campaign_id").notNull(),
  messageCount: integer("message_count").notNull(),
});
