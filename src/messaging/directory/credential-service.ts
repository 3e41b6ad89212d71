/** Operator actions on credentials. Every change is on disk and effective when its promise resolves. */
import type { CredentialKind, TrafficKind } from "../../domain/credential.ts";
import { defaultBounds, type SetBy } from "../../domain/customer-limits.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { AccountRow } from "../../store/accounts.ts";
import type { CredentialRow, NewCredential } from "../../store/credentials.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { CredentialDirectory, CustomerCredential } from "./credential-directory.ts";
import { credentialLimitColumns } from "./operator-limits.ts";

export interface CredentialServiceDeps {
  store: Store;
  credentials: CredentialDirectory;
  hash: KeyedHash;
  clock: { now(): number };
  /** Loads what forwards; without it a credential would forward nothing until the next start. */
  beforeForward?(): Promise<void>;
}

export interface NewCredentialInput {
  apiKeyId: number;
  kind: CredentialKind;
  name: string;
  secret: string;
  /** The sealed secret, for protocols that need to read it back. */
  sealedSecret?: Uint8Array;
  traffic: TrafficKind;
  /** Messages a second; null for no limit. */
  ratePerSecond: number | null;
  /** Their shape depends on the kind. */
  options: object;
  /** Of the options: those that were chosen. */
  binds?: number | undefined;
  window?: number | undefined;
}

export interface CredentialChange {
  rate?: number | null | undefined;
  /** Makes the new options of the stored row; may refuse by throwing. */
  options?: ((row: CredentialRow) => object) | undefined;
  /** Of the options: those that change. */
  binds?: number | undefined;
  window?: number | undefined;
}

function accountOf(tables: Tables, apiKeyId: number): AccountRow {
  const key = tables.keys.byId(apiKeyId);
  const account = key === null ? null : tables.accounts.byId(key.accountId);
  if (account === null) throw new OperatorError("key_not_found");
  return account;
}

const bufferOrNull = (bytes: Uint8Array | undefined): Buffer | null =>
  bytes === undefined ? null : Buffer.from(bytes);

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class CredentialService {
  constructor(private readonly deps: CredentialServiceDeps) {}

  /** A customer's stays within its account's bounds. */
  async create(
    { secret, sealedSecret, options, binds, window, ...input }: NewCredentialInput,
    setBy: SetBy = "operator",
  ): Promise<CustomerCredential> {
    const { store, hash, clock, credentials } = this.deps;
    const chosen = { ratePerSecond: input.ratePerSecond, binds, window };
    const row = await store.write((tables) => {
      const key = tables.keys.byId(input.apiKeyId);
      if (key === null) throw new OperatorError("key_not_found");
      if (key.revokedAt !== null) throw new OperatorError("key_revoked");
      const account = accountOf(tables, key.id);
      const max = account.credentialsMax ?? defaultBounds.credentialsMax;
      if (setBy === "customer" && tables.credentials.countOf(account.id) >= max)
        throw new OperatorError("credential_limit_reached");
      const limits = credentialLimitColumns(chosen, { setBy, account, row: null });
      const secretHash = hash.hash(secret);
      if (tables.credentials.byName(input.kind, input.name) !== null) throw new OperatorError("credential_exists");
      const fresh = { ...input, secretHash, options: JSON.stringify(options), createdAt: clock.now() };
      const sealed = { sealedSecret: bufferOrNull(sealedSecret), previousSealed: null, sealedForward: null };
      return tables.credentials.insert({
        ...fresh,
        ...sealed,
        ...limits,
        previousHash: null,
        previousUntil: null,
        revokedAt: null,
      });
    });
    credentials.put(row);
    return row;
  }

  /** Issues a new secret. The old one stays valid for `graceMs`. `options`: if they change with it. */
  rotate(
    id: number,
    secret: string,
    graceMs: number,
    options?: object,
    sealedSecret?: Uint8Array,
  ): Promise<CustomerCredential> {
    const { hash, clock } = this.deps;
    return this.#change(id, (row, { keys }) => {
      if (row.revokedAt !== null) throw new OperatorError("credential_revoked");
      if (keys.byId(row.apiKeyId)?.revokedAt !== null) throw new OperatorError("key_revoked");
      const until = clock.now() + graceMs;
      const kept = { previousHash: row.secretHash, previousSealed: row.sealedSecret, previousUntil: until };
      const none = { previousHash: null, previousSealed: null, previousUntil: null };
      const changed = options === undefined ? {} : { options: JSON.stringify(options) };
      const fresh = { secretHash: hash.hash(secret), sealedSecret: bufferOrNull(sealedSecret) };
      return { ...fresh, ...changed, ...(graceMs > 0 ? kept : none) };
    });
  }

  /**
   * What is undefined stays. `rate`: messages a second; null for no limit. A customer never exceeds what an operator
   * set.
   */
  change(
    id: number,
    { rate, options, binds, window }: CredentialChange,
    setBy: SetBy = "operator",
  ): Promise<CustomerCredential> {
    return this.#change(id, (row, tables) => {
      if (row.revokedAt !== null) throw new OperatorError("credential_revoked");
      const account = accountOf(tables, row.apiKeyId);
      return {
        ...credentialLimitColumns({ ratePerSecond: rate, binds, window }, { setBy, account, row }),
        ...(rate !== undefined && { ratePerSecond: rate }),
        ...(options !== undefined && { options: JSON.stringify(options(row)) }),
      };
    });
  }

  /** Where its texts and statuses are forwarded; null for nowhere. */
  async setForward(id: number, sealed: Uint8Array | null): Promise<CustomerCredential> {
    if (sealed !== null) await this.deps.beforeForward?.();
    return this.#change(id, (row) => {
      if (row.revokedAt !== null) throw new OperatorError("credential_revoked");
      return { sealedForward: bufferOrNull(sealed ?? undefined) };
    });
  }

  /** Replaces the stored options. `options` may refuse by throwing. */
  setOptions(id: number, options: (row: CredentialRow) => object): Promise<CustomerCredential> {
    return this.#change(id, (row) => {
      if (row.revokedAt !== null) throw new OperatorError("credential_revoked");
      return { options: JSON.stringify(options(row)) };
    });
  }

  /** Its binds end at once, for good. Revoking a revoked credential changes nothing. */
  revoke(id: number): Promise<CustomerCredential> {
    return this.#change(id, (row) => ({ revokedAt: row.revokedAt ?? this.deps.clock.now() }));
  }

  async #change(
    id: number,
    to: (row: CredentialRow, tables: Tables) => Partial<NewCredential>,
  ): Promise<CustomerCredential> {
    const row = await this.deps.store.write((tables) => {
      const before = tables.credentials.byId(id);
      if (before === null) throw new OperatorError("credential_not_found");
      return tables.credentials.update(id, to(before, tables)) ?? before;
    });
    this.deps.credentials.put(row);
    return row;
  }
}
