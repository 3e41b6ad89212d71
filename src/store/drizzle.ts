/** The connection wrapped by drizzle, for queries off the hot path. */
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

export type Drizzle = BunSQLiteDatabase<Record<string, never>>;
