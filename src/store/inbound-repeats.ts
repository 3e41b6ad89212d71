/** Fingerprints of inbound parts: a carrier sends a part again when it missed the acknowledgement. */
import type { Database } from "bun:sqlite";
import { insertInto } from "./columns.ts";
import { inboundSeen } from "./schema.ts";

const prepare = (database: Database) => ({
  seen: database.prepare<{ expiresAt: number }, [Uint8Array]>(
    "SELECT expires_at AS expiresAt FROM inbound_seen WHERE fingerprint = ?",
  ),
  remember: database.prepare(
    `${insertInto(inboundSeen, "fingerprint", "expiresAt")}
     ON CONFLICT (fingerprint) DO UPDATE SET expires_at = max(expires_at, excluded.expires_at)`,
  ),
  prune: database.prepare(
    "DELETE FROM inbound_seen WHERE fingerprint IN (SELECT fingerprint FROM inbound_seen WHERE expires_at <= ? LIMIT ?)",
  ),
});

export class InboundRepeatTable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  isKnown(fingerprint: Uint8Array, now: number): boolean {
    return (this.#sql.seen.get(fingerprint)?.expiresAt ?? 0) > now;
  }

  remember(fingerprint: Uint8Array, expiresAt: number): void {
    this.#sql.remember.run(fingerprint, expiresAt);
  }

  /** Removes up to `limit` expired ones; returns the number removed. */
  prune(now: number, limit: number): number {
    return this.#sql.prune.run(now, limit).changes;
  }
}
