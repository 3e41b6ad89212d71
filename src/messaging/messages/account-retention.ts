/** Removes what accounts keep for less time than the settings say: whole messages, or only their texts. */
import type { KeptFor } from "../../store/account-retention.ts";
import type { Store } from "../../store/store.ts";
import type { Account } from "../directory/directory.ts";
import { stubPeriod } from "./retention.ts";

export interface AccountRetentionDeps {
  store: Store;
  clock: { now(): number };
  /** How long Idempotency-Keys are remembered. */
  idempotencyDays: number;
  directory: { accounts(): readonly Pick<Account, "id" | "retentionDays" | "textDays">[] };
}

/** The accounts with the same retention time. */
interface Policy {
  kind: KeptFor["kind"];
  days: number;
  accountIds: number[];
}

const dayMs = 24 * 3_600_000;
/** Messages examined per transaction: two to four milliseconds. */
const sliceRows = 500;
const sliceInbound = 200;

export class AccountRetention {
  /** The last message each policy was applied to. Messages are not indexed by account, so a scan resumes there. */
  readonly #lookedTo = new Map<string, number>();
  #wholeWalkAt = 0;

  constructor(private readonly deps: AccountRetentionDeps) {}

  /** One pass. */
  async forget(): Promise<void> {
    const { store, clock } = this.deps;
    if (store.tables.rollups.filledShare() < 1) return;
    const now = clock.now();
    // Once a day from the start: a message that could still change when it was examined is final by then.
    if (now >= this.#wholeWalkAt) {
      this.#lookedTo.clear();
      this.#wholeWalkAt = now + dayMs;
    }
    for (const policy of this.#policies()) {
      await this.#forgetMessages(policy, now);
      for (const accountId of policy.accountIds) await this.#forgetInbound(accountId, policy, now);
    }
  }

  #policies(): Policy[] {
    const policies = new Map<string, Policy>();
    const add = (kind: Policy["kind"], days: number | null, accountId: number) => {
      if (days === null) return;
      const policy = policies.get(`${kind} ${days}`) ?? { kind, days, accountIds: [] };
      policy.accountIds.push(accountId);
      policies.set(`${kind} ${days}`, policy);
    };
    for (const { id, retentionDays, textDays } of this.deps.directory.accounts()) {
      add("whole", retentionDays, id);
      add("texts", textDays, id);
    }
    return [...policies.values()];
  }

  async #forgetMessages({ kind, days, accountIds }: Policy, now: number): Promise<void> {
    const { store, idempotencyDays } = this.deps;
    const key = `${kind} ${days} ${accountIds.join()}`;
    const kept = {
      kind,
      accountIds: new Set(accountIds),
      before: now - days * dayMs,
      stubs: stubPeriod(store, now, idempotencyDays),
    };
    for (let afterId: number | null = this.#lookedTo.get(key) ?? 0; afterId !== null; ) {
      const from: number = afterId;
      const slice = await store.write((tables) => tables.accountRetention.prune(kept, from, sliceRows, now));
      this.#lookedTo.set(key, slice.lookedTo);
      afterId = slice.nextId;
    }
  }

  async #forgetInbound(accountId: number, { kind, days }: Policy, now: number): Promise<void> {
    const before = now - days * dayMs;
    const slice = () =>
      this.deps.store.write((tables) =>
        tables.accountRetention.pruneInbound(accountId, kind, before, sliceInbound, now),
      );
    while ((await slice()) === sliceInbound);
  }
}
