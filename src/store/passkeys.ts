/** Passkeys of the console's users. */
import { and, eq, type SQL } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { passkey } from "./schema.ts";

export type PasskeyRow = typeof passkey.$inferSelect;
export type NewPasskey = Omit<PasskeyRow, "id" | "usedAt">;

export class PasskeyTable {
  constructor(private readonly drizzle: Drizzle) {}

  /** Of a user, or all. */
  list(userId?: number): PasskeyRow[] {
    return this.#all(userId === undefined ? undefined : eq(passkey.userId, userId));
  }

  byId(id: number): PasskeyRow | null {
    return this.#all(eq(passkey.id, id))[0] ?? null;
  }

  byCredential(credentialId: string): PasskeyRow | null {
    return this.#all(eq(passkey.credentialId, credentialId))[0] ?? null;
  }

  /** Whether anybody signs in with one that is bound to this host. */
  hasAt(host: string): boolean {
    return this.#all(and(eq(passkey.host, host), eq(passkey.signsIn, true)), 1).length > 0;
  }

  insert(row: NewPasskey): PasskeyRow {
    return this.drizzle.insert(passkey).values(row).returning().get();
  }

  used(id: number, to: Pick<PasskeyRow, "counter" | "usedAt">): void {
    this.drizzle.update(passkey).set(to).where(eq(passkey.id, id)).run();
  }

  remove(id: number): void {
    this.drizzle.delete(passkey).where(eq(passkey.id, id)).run();
  }

  removeOf(userId: number): void {
    this.drizzle.delete(passkey).where(eq(passkey.userId, userId)).run();
  }

  #all(which: SQL | undefined, countMax = -1): PasskeyRow[] {
    return this.drizzle.select().from(passkey).where(which).orderBy(passkey.id).limit(countMax).all();
  }
}
