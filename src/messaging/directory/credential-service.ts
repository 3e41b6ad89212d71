/** What an operator does with credentials. Every change is on disk and effective when its promise resolves. */
import type { CredentialKind, TrafficKind } from "../../domain/credential.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { CredentialRow, NewCredential } from "../../store/credentials.ts";
import type { Store } from "../../store/store.ts";
import type { CredentialDirectory, CustomerCredential } from "./credential-directory.ts";

export interface CredentialServiceDeps {
  store: Store;
  credentials: CredentialDirectory;
  hash: KeyedHash;
  clock: { now(): number };
}

export interface NewCredentialInput {
  apiKeyId: number;
  kind: CredentialKind;
  name: string;
  secret: string;
  traffic: TrafficKind;
  /** Messages a second; null for no limit. */
  ratePerSecond: number | null;
  /** Of its kind. */
  options: object;
}

/** Throws OperatorError; rejects with StoreUnavailable when the disk refuses. */
export class CredentialService {
  readonly #deps: CredentialServiceDeps;

  constructor(deps: CredentialServiceDeps) {
    this.#deps = deps;
  }

  async create({ secret, options, ...input }: NewCredentialInput): Promise<CustomerCredential> {
    const { store, hash, clock, credentials } = this.#deps;
    const row = await store.write((tables) => {
      const key = tables.keys.byId(input.apiKeyId);
      if (key === null) throw new OperatorError("key_not_found");
      if (key.revokedAt !== null) throw new OperatorError("key_revoked");
      const secretHash = hash.hash(secret);
      if (tables.credentials.byName(input.kind, input.name) !== null) throw new OperatorError("credential_exists");
      const fresh = { ...input, secretHash, options: JSON.stringify(options), createdAt: clock.now() };
      return tables.credentials.insert({ ...fresh, previousHash: null, previousUntil: null, revokedAt: null });
    });
    credentials.put(row);
    return row;
  }

  /** A new secret. The old one is good for `graceMs` more. */
  rotate(id: number, secret: string, graceMs: number): Promise<CustomerCredential> {
    const { hash, clock } = this.#deps;
    return this.#change(id, (row) => {
      if (row.revokedAt !== null) throw new OperatorError("credential_revoked");
      const kept = { previousHash: row.secretHash, previousUntil: clock.now() + graceMs };
      const none = { previousHash: null, previousUntil: null };
      return { secretHash: hash.hash(secret), ...(graceMs > 0 ? kept : none) };
    });
  }

  /** Its binds end at once, for good. Revoking a revoked one changes nothing. */
  revoke(id: number): Promise<CustomerCredential> {
    return this.#change(id, (row) => ({ revokedAt: row.revokedAt ?? this.#deps.clock.now() }));
  }

  async #change(id: number, to: (row: CredentialRow) => Partial<NewCredential>): Promise<CustomerCredential> {
    const row = await this.#deps.store.write((tables) => {
      const before = tables.credentials.byId(id);
      if (before === null) throw new OperatorError("credential_not_found");
      return tables.credentials.update(id, to(before)) ?? before;
    });
    this.#deps.credentials.put(row);
    return row;
  }
}
