/** Operator actions on accounts and their keys. Every change is on disk and effective when its promise resolves. */

import { type AccountBounds, defaultBounds, type SetBy } from "../../domain/customer-limits.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { Permission } from "../../domain/permissions.ts";
import type { Random } from "../../platform/random.ts";
import type { KeyRow, NewKey } from "../../store/keys.ts";
import type { QuotaLimits } from "../../store/quotas.ts";
import type { Store, Tables } from "../../store/store.ts";
import { apiKeyHash, newApiKey } from "./api-key.ts";
import type { Account, ApiKey, Directory } from "./directory.ts";
import { keyLimitColumns, rangesText } from "./operator-limits.ts";

export interface DirectoryDeps {
  store: Store;
  directory: Directory;
  clock: { now(): number };
  random: Random;
}

export interface NewKeyInput {
  name: string;
  permissions: readonly Permission[];
  /** Its messages go only to the simulator; this never changes. False if omitted. */
  isTest?: boolean;
  /** Null: the rate in the settings. */
  requestsPerMinute: number | null;
  /** Epoch milliseconds, or null for never. */
  expiresAt: number | null;
  /** IP addresses and CIDR ranges from which the key is accepted; if empty or omitted, from everywhere. */
  allowFrom?: readonly string[];
}

/** `countries`, `timeZone`: see the columns of the same names. */
export type AccountChange = Partial<
  Pick<
    Account,
    | "name"
    | "defaultSender"
    | "countries"
    | "timeZone"
    | "suppressionScope"
    | "quietHours"
    | "quietSingles"
    | "retentionDays"
    | "textDays"
    | "note"
    | keyof AccountBounds
  >
>;

/** A key with its secret, which is not stored and cannot be shown again. */
export interface IssuedKey {
  key: ApiKey;
  apiKey: string;
}

export type AccountService = ReturnType<typeof accountService>;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export function accountService({ store, directory, clock }: DirectoryDeps) {
  async function change(id: number, to: Partial<Omit<Account, "id">>, limits: QuotaLimits = {}): Promise<Account> {
    const account = await store.write((tables) => {
      const { defaultSender } = to;
      if (typeof defaultSender === "string") {
        const sender = tables.senders.byName(id, defaultSender);
        if (sender === null || sender.removedAt !== null) throw new OperatorError("sender_not_found");
      }
      const isSame = Object.keys(to).length === 0;
      const row = isSame ? tables.accounts.byId(id) : tables.accounts.update(id, to);
      if (row === null) throw new OperatorError("account_not_found");
      tables.quotas.set({ subject: "account", subjectId: id }, limits);
      if (to.status === "suspended") tables.otpSteps.endOfAccount(id, "suspended", clock.now());
      return row;
    });
    directory.putAccount(account);
    return account;
  }

  return {
    async create(name: string): Promise<Account> {
      const createdAt = clock.now();
      const account = await store.write((tables) => tables.accounts.insert({ name, status: "active", createdAt }));
      directory.putAccount(account);
      return account;
    },
    /** All of it, or nothing. */
    update: (id: number, to: AccountChange, limits?: QuotaLimits) => change(id, to, limits),
    /**
     * From now on its requests are refused and waiting messages are held. Suspending a suspended account changes
     * nothing.
     */
    suspend: (id: number) => change(id, { status: "suspended" }),
    resume: (id: number) => change(id, { status: "active" }),
  };
}

export type KeyService = ReturnType<typeof keyService>;

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export function keyService({ store, directory, clock, random }: DirectoryDeps) {
  async function change(id: number, to: (row: KeyRow, tables: Tables) => Partial<NewKey>): Promise<ApiKey> {
    const row = await store.write((tables) => {
      const before = tables.keys.byId(id);
      if (before === null) throw new OperatorError("key_not_found");
      return tables.keys.update(id, to(before, tables)) ?? before;
    });
    return directory.putKey(row);
  }

  return {
    /** A customer's stays within its account's bounds. */
    async create(accountId: number, input: NewKeyInput, setBy: SetBy = "operator"): Promise<IssuedKey> {
      const { permissions, allowFrom = [], ...rest } = input;
      const apiKey = newApiKey(random);
      const row = await store.write((tables) => {
        const account = tables.accounts.byId(accountId);
        if (account === null) throw new OperatorError("account_not_found");
        if (setBy === "customer" && tables.keys.countOf(accountId) >= (account.keysMax ?? defaultBounds.keysMax))
          throw new OperatorError("key_limit_reached");
        return tables.keys.insert({
          ...rest,
          ...keyLimitColumns({ ...input, allowFrom }, { setBy, account, row: null }),
          accountId,
          permissions: permissions.join(" "),
          allowFrom: rangesText(allowFrom),
          secretHash: apiKeyHash(apiKey),
          previousHash: null,
          previousUntil: null,
          revokedAt: null,
          createdAt: clock.now(),
        });
      });
      return { key: directory.putKey(row), apiKey };
    },

    /** Omitted fields stay as they are. A customer never exceeds what an operator set. */
    update: (id: number, to: Partial<Omit<NewKeyInput, "isTest">>, setBy: SetBy = "operator"): Promise<ApiKey> =>
      change(id, (row, tables) => {
        if (row.revokedAt !== null) throw new OperatorError("key_revoked");
        const account = tables.accounts.byId(row.accountId);
        if (account === null) throw new OperatorError("account_not_found");
        const { permissions, allowFrom, ...rest } = to;
        return {
          ...rest,
          ...keyLimitColumns(to, { setBy, account, row }),
          ...(permissions !== undefined && { permissions: permissions.join(" ") }),
          ...(allowFrom !== undefined && { allowFrom: rangesText(allowFrom) }),
        };
      }),

    /**
     * Issues a new secret for the same key. The old one stays valid for `graceMs`; one rotated out earlier ends at
     * once.
     */
    async rotate(id: number, graceMs: number): Promise<IssuedKey> {
      const apiKey = newApiKey(random);
      const key = await change(id, (row) => {
        if (row.revokedAt !== null) throw new OperatorError("key_revoked");
        const kept = graceMs > 0 ? { previousHash: row.secretHash, previousUntil: clock.now() + graceMs } : noPrevious;
        return { secretHash: apiKeyHash(apiKey), ...kept };
      });
      return { key, apiKey };
    },

    /** Both secrets end at once, for good. Revoking a revoked key changes nothing. */
    revoke: (id: number): Promise<ApiKey> =>
      change(id, (row) => ({ revokedAt: row.revokedAt ?? clock.now(), ...noPrevious })),
  };
}

const noPrevious = { previousHash: null, previousUntil: null };
