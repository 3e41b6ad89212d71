/**
 * API keys. Only SHA-256 hashes of the secrets are stored: the current one and, for a while after a rotation, the
 * previous one.
 */
import { and, count, eq, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { apiKey } from "./schema.ts";

export type KeyRow = typeof apiKey.$inferSelect;
export type NewKey = Omit<typeof apiKey.$inferInsert, "id">;

export class KeyTable {
  constructor(private readonly drizzle: Drizzle) {}

  all(): KeyRow[] {
    return this.drizzle.select().from(apiKey).orderBy(apiKey.id).all();
  }

  byId(id: number): KeyRow | null {
    return this.drizzle.select().from(apiKey).where(eq(apiKey.id, id)).get() ?? null;
  }

  /** Those of the account that are not revoked. */
  countOf(accountId: number): number {
    const live = and(eq(apiKey.accountId, accountId), isNull(apiKey.revokedAt));
    return this.drizzle.select({ keys: count() }).from(apiKey).where(live).get()?.keys ?? 0;
  }

  insert(row: NewKey): KeyRow {
    return this.drizzle.insert(apiKey).values(row).returning().get();
  }

  /** Null if there is no such key. */
  update(id: number, change: Partial<NewKey>): KeyRow | null {
    return this.drizzle.update(apiKey).set(change).where(eq(apiKey.id, id)).returning().get() ?? null;
  }
}
