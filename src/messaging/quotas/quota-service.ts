/** Operator actions on quotas: sets, lifts and reads them. */
import { OperatorError } from "../../domain/operator-error.ts";
import type { QuotaLimits, QuotaSubject } from "../../store/quotas.ts";
import type { Store } from "../../store/store.ts";
import type { Directory } from "../directory/directory.ts";
import type { QuotaGuard, QuotaUse } from "./quota-guard.ts";

export interface QuotaServiceDeps {
  store: Store;
  directory: Pick<Directory, "account" | "key">;
  guard: QuotaGuard;
}

export class QuotaService {
  constructor(private readonly deps: QuotaServiceDeps) {}

  /**
   * Applies from the next request on. Throws `account_not_found`, `key_not_found`, `key_revoked`; rejects with
   * StoreUnavailable when the disk refuses.
   */
  async set(subject: QuotaSubject, limits: QuotaLimits): Promise<QuotaUse[]> {
    this.#assertExists(subject);
    if (subject.subject === "key" && this.deps.directory.key(subject.subjectId)?.revokedAt !== null)
      throw new OperatorError("key_revoked");
    await this.deps.store.write(({ quotas }) => quotas.set(subject, limits));
    return this.of(subject);
  }

  /** Throws `account_not_found`, `key_not_found`. */
  of(subject: QuotaSubject): QuotaUse[] {
    this.#assertExists(subject);
    const uses = this.deps.guard.uses();
    return uses.filter(({ quota }) => quota.subject === subject.subject && quota.subjectId === subject.subjectId);
  }

  /** Without those of revoked keys. */
  all(): QuotaUse[] {
    return this.deps.guard.inForce();
  }

  /** Quotas with less than a fifth left. */
  nearlyUsed(): QuotaUse[] {
    return this.deps.guard.nearlyUsed();
  }

  #assertExists({ subject, subjectId }: QuotaSubject): void {
    const { directory } = this.deps;
    if (subject === "account" && directory.account(subjectId) === null) throw new OperatorError("account_not_found");
    if (subject === "key" && directory.key(subjectId) === null) throw new OperatorError("key_not_found");
  }
}
