/** API keys. Only SHA-256 hashes of the secrets are stored, the present one and, for a while, the one before a rotation. */
import { eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { apiKey } from "./schema.ts";

export type KeyRow = typeof apiKey.$inferSelect;
export type NewKey = Omit<KeyRow, "id">;

export type KeyTable = ReturnType<typeof keyTable>;

export function keyTable(drizzle: Drizzle) {
  return {
    all: (): KeyRow[] => drizzle.select().from(apiKey).orderBy(apiKey.id).all(),
    byId: (id: number): KeyRow | null => drizzle.select().from(apiKey).where(eq(apiKey.id, id)).get() ?? null,
    insert: (row: NewKey): KeyRow => drizzle.insert(apiKey).values(row).returning().get(),
    /** Null where there is no such key. */
    update: (id: number, change: Partial<NewKey>): KeyRow | null =>
      drizzle.update(apiKey).set(change).where(eq(apiKey.id, id)).returning().get() ?? null,
  };
}
