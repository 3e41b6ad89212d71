/** Tables of console users, their second factors, setup links and sessions (migrations 20, 26, 44 and 46). */
import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { languages, themes } from "../../domain/console-look.ts";
import { roles } from "../../domain/roles.ts";

export const consoleUser = sqliteTable("console_user", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  name: text("name").notNull(),
  role: text("role", { enum: roles }).notNull(),
  accountId: integer("account_id"),
  passwordHash: text("password_hash"),
  sealedFactor: blob("sealed_factor", { mode: "buffer" }),
  factorStep: integer("factor_step").notNull().default(0),
  disabledAt: integer("disabled_at"),
  createdAt: integer("created_at").notNull(),
  language: text("language", { enum: languages }),
  theme: text("theme", { enum: themes }).notNull().default("system"),
  zone: text("zone"),
  hasShortcuts: integer("has_shortcuts", { mode: "boolean" }).notNull().default(true),
});

export const recoveryCode = sqliteTable(
  "recovery_code",
  { userId: integer("user_id").notNull(), codeHash: blob("code_hash", { mode: "buffer" }).notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const setupLink = sqliteTable("setup_link", {
  userId: integer("user_id").primaryKey(),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const session = sqliteTable("session", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  userId: integer("user_id").notNull(),
  isConfirmed: integer("is_confirmed", { mode: "boolean" }).notNull(),
  address: text("address").notNull(),
  createdAt: integer("created_at").notNull(),
  seenAt: integer("seen_at").notNull(),
  wrongCodes: integer("wrong_codes").notNull().default(0),
});
