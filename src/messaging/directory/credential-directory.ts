/** Credentials in memory, for every sign-in by a non-HTTP protocol, without disk access. */
import { timingSafeEqual } from "node:crypto";
import type { CredentialKind } from "../../domain/credential.ts";
import type { KeyedHash } from "../../platform/keyed-hash.ts";
import type { CredentialRow } from "../../store/credentials.ts";
import type { Tables } from "../../store/store.ts";
import type { Account, ApiKey, Directory } from "./directory.ts";

export type CustomerCredential = Readonly<CredentialRow>;

/** A credential with the key whose permissions, quota and addresses apply to it. */
export interface CredentialOwner {
  credential: CustomerCredential;
  key: ApiKey;
  account: Account;
}

export interface CredentialDirectoryDeps {
  tables: Tables;
  directory: Directory;
  clock: { now(): number };
  hash: KeyedHash;
}

/** Called after a change is on disk and in memory. */
export type CredentialChangeListener = (credential: CustomerCredential) => void;

const noHash = Buffer.alloc(32);

const isSame = (a: Uint8Array | null, b: Uint8Array): boolean => a !== null && timingSafeEqual(a, b);

export class CredentialDirectory {
  readonly #byId = new Map<number, CustomerCredential>();
  /** Only credentials that are not revoked. */
  readonly #byName = new Map<string, CustomerCredential>();
  readonly #listeners = new Set<CredentialChangeListener>();

  constructor(private readonly deps: CredentialDirectoryDeps) {
    for (const row of deps.tables.credentials.all()) this.put(row);
  }

  /** Null if there is none, it is revoked, the secret is wrong, or its key is revoked or expired. */
  open(kind: CredentialKind, name: string, secret: string): CredentialOwner | null {
    const hash = this.deps.hash.hash(secret);
    const credential = this.#byName.get(nameOf(kind, name));
    // An unknown name takes as long as a wrong secret.
    const isPresent = isSame(credential?.secretHash ?? noHash, hash);
    const isPrevious =
      (credential?.previousUntil ?? 0) > this.deps.clock.now() && isSame(credential?.previousHash ?? null, hash);
    return credential !== undefined && (isPresent || isPrevious) ? this.owner(credential.id) : null;
  }

  /** Null if the credential or its key is revoked, or the key has expired. */
  owner(id: number): CredentialOwner | null {
    const credential = this.#byId.get(id);
    if (credential === undefined || credential.revokedAt !== null) return null;
    const key = this.deps.directory.key(credential.apiKeyId);
    const account = key === null ? null : this.deps.directory.account(key.accountId);
    if (key === null || account === null || key.revokedAt !== null) return null;
    if (key.expiresAt !== null && key.expiresAt <= this.deps.clock.now()) return null;
    return { credential, key, account };
  }

  /** The credential with this name, for callers with their own proof; null as for `owner`. */
  named(kind: CredentialKind, name: string): CredentialOwner | null {
    const credential = this.#byName.get(nameOf(kind, name));
    return credential === undefined ? null : this.owner(credential.id);
  }

  byId(id: number): CustomerCredential | null {
    return this.#byId.get(id) ?? null;
  }

  /** Includes revoked credentials; in order of creation. */
  all(): CustomerCredential[] {
    return [...this.#byId.values()];
  }

  /** Call after committing the change. */
  put(row: CredentialRow): void {
    this.#byId.set(row.id, row);
    const name = nameOf(row.kind, row.name);
    if (row.revokedAt === null) this.#byName.set(name, row);
    else if (this.#byName.get(name)?.id === row.id) this.#byName.delete(name);
    for (const listener of this.#listeners) listener(row);
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: CredentialChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const nameOf = (kind: CredentialKind, name: string): string => `${kind} ${name}`;
