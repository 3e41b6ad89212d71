/** The connection as drizzle sees it, for the queries that are not hot. */
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

export type Drizzle = BunSQLiteDatabase<Record<string, never>>;
