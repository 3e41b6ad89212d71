/** Credentials: names and hashed secrets for protocols with their own authentication. */
import { and, count, eq, isNotNull, isNull } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { apiKey, credential } from "./schema.ts";

export type CredentialRow = typeof credential.$inferSelect;
export type NewCredential = Omit<typeof credential.$inferInsert, "id">;

export class CredentialTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Includes revoked credentials. */
  all(): CredentialRow[] {
    return this.drizzle.select().from(credential).orderBy(credential.id).all();
  }

  byId(id: number): CredentialRow | null {
    return this.drizzle.select().from(credential).where(eq(credential.id, id)).get() ?? null;
  }

  /** The credential of this name that is not revoked. */
  byName(kind: CredentialRow["kind"], name: string): CredentialRow | null {
    const named = and(eq(credential.kind, kind), eq(credential.name, name), isNull(credential.revokedAt));
    return this.drizzle.select().from(credential).where(named).get() ?? null;
  }

  /** Those of the account that are not revoked, nor their keys. */
  countOf(accountId: number): number {
    const live = and(eq(apiKey.accountId, accountId), isNull(credential.revokedAt), isNull(apiKey.revokedAt));
    const counted = this.drizzle.select({ credentials: count() }).from(credential);
    return counted.innerJoin(apiKey, eq(apiKey.id, credential.apiKeyId)).where(live).get()?.credentials ?? 0;
  }

  /** True if any credential forwards texts or statuses. */
  hasForwards(): boolean {
    const forwarding = and(isNotNull(credential.sealedForward), isNull(credential.revokedAt));
    return this.drizzle.select({ id: credential.id }).from(credential).where(forwarding).limit(1).get() !== undefined;
  }

  insert(row: NewCredential): CredentialRow {
    return this.drizzle.insert(credential).values(row).returning().get();
  }

  /** Null if there is no such credential. */
  update(id: number, change: Partial<NewCredential>): CredentialRow | null {
    return this.drizzle.update(credential).set(change).where(eq(credential.id, id)).returning().get() ?? null;
  }
}
