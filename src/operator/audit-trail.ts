/** Writes and reads the audit. A change is recorded before it is made, so that none goes unrecorded. */
import type { Logger } from "../platform/log.ts";
import type { AuditBeginning, AuditEnd, AuditFilter, AuditRow } from "../store/audit.ts";
import type { Store } from "../store/store.ts";

export interface AuditTrailDeps {
  store: Store;
  clock: { now(): number };
  log: Logger;
}

const dayMs = 24 * 3_600_000;
/** Rows per transaction: a few milliseconds. */
const sliceRows = 200;

export class AuditTrail {
  constructor(private readonly deps: AuditTrailDeps) {}

  /**
   * Resolves with the entry's id once it is on disk. Rejects with StoreUnavailable if it cannot be written: nothing may
   * be changed then.
   */
  begin(beginning: Omit<AuditBeginning, "at">): Promise<number> {
    const entry = { ...beginning, at: this.deps.clock.now() };
    return this.deps.store.write((tables) => tables.audit.begin(entry));
  }

  /**
   * Never rejects: the change has been made or refused by now, and an entry that stays `begun` says that its outcome is
   * unknown.
   */
  async end(id: number, end: AuditEnd): Promise<void> {
    try {
      await this.deps.store.write((tables) => tables.audit.end(id, end));
    } catch (reason) {
      this.deps.log.error({ err: reason, auditEntry: id, outcome: end.outcome }, "an audit entry was not completed");
    }
  }

  /** Newest first, starting below the id `before`. */
  search(filter: AuditFilter, before: number | null, limit: number): AuditRow[] {
    return this.deps.store.tables.audit.search(filter, before, limit);
  }

  async forgetOld(days: number): Promise<void> {
    const before = this.deps.clock.now() - days * dayMs;
    while ((await this.deps.store.write((tables) => tables.audit.prune(before, sliceRows))) === sliceRows);
  }
}
