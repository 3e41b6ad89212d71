/** Accounts, keys, senders and routes in memory, for every request and every submit, without disk access. */
import type { Permission } from "../../domain/permissions.ts";
import { sandboxRouteName } from "../../domain/sandbox.ts";
import type { AccountRow } from "../../store/accounts.ts";
import type { KeyRow } from "../../store/keys.ts";
import type { RouteRow } from "../../store/routes.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Tables } from "../../store/store.ts";
import { permissionsOf, rangesOf } from "./operator-limits.ts";

export type Account = Readonly<AccountRow>;
export type Sender = Readonly<SenderRow>;
export type Route = Readonly<RouteRow>;

/** An API key without its secret. Times are epoch milliseconds. */
export interface ApiKey {
  id: number;
  accountId: number;
  name: string;
  /** Its messages go only to the simulator. */
  isTest: boolean;
  /** Null: the rate in the settings. */
  requestsPerMinute: number | null;
  permissions: ReadonlySet<Permission>;
  /** IP addresses and CIDR ranges from which the key is accepted; if empty, from everywhere. */
  allowFrom: readonly string[];
  expiresAt: number | null;
  /** What an operator set, within which the customer may choose; null where no operator did. */
  limits: {
    rate: number | null;
    permissions: readonly Permission[] | null;
    expiresAt: number | null;
    allowFrom: readonly string[] | null;
  };
  revokedAt: number | null;
  /** When the previous secret stops being valid. */
  previousUntil: number | null;
  createdAt: number;
}

/** Called after a change is on disk and in memory. Removed senders and routes have their `removedAt` set. */
export interface DirectoryListener {
  accountChanged?(account: Account): void;
  keyChanged?(key: ApiKey): void;
  senderChanged?(sender: Sender): void;
  routeChanged?(route: Route): void;
}

/** The route used for a sender that has none. */
export const defaultRouteName = "simulator";

interface Secret {
  keyId: number;
  /** Epoch milliseconds after which this secret is no longer valid. */
  until: number;
}

export class Directory {
  readonly #clock: { now(): number };
  readonly #accounts = new Map<number, Account>();
  readonly #keys = new Map<number, ApiKey>();
  readonly #secrets = new Map<string, Secret>();
  readonly #hashesOfKey = new Map<number, string[]>();
  readonly #testKeys = new Set<number>();
  readonly #senders = new Map<number, Sender>();
  readonly #sendersByName = new Map<number, Map<string, Sender>>();
  readonly #routes = new Map<number, Route>();
  readonly #routesByName = new Map<string, Route>();
  /** Cached for every submit; invalidated by any change of a route or of the sender. */
  readonly #routesBySender = new Map<number, readonly number[]>();
  /**
   * Cached because there may be thousands and every routing plan needs them. Invalidated by any change of an account or
   * a sender.
   */
  #activeSenders: readonly Sender[] | null = null;
  readonly #listeners = new Set<DirectoryListener>();

  constructor(tables: Tables, clock: { now(): number }) {
    this.#clock = clock;
    for (const row of tables.accounts.all()) this.putAccount(row);
    for (const row of tables.keys.all()) this.putKey(row);
    for (const row of tables.routes.all()) this.putRoute(row);
    for (const row of tables.senders.all()) this.putSender(row);
  }

  /** The key with this secret (SHA-256, hexadecimal) and its account; null if unknown, revoked or expired. */
  keyByHash(hash: string): { key: ApiKey; account: Account } | null {
    const secret = this.#secrets.get(hash);
    if (secret === undefined || secret.until <= this.#clock.now()) return null;
    const key = this.#keys.get(secret.keyId);
    const account = key === undefined ? undefined : this.#accounts.get(key.accountId);
    return key === undefined || account === undefined ? null : { key, account };
  }

  account(id: number): Account | null {
    return this.#accounts.get(id) ?? null;
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  key(id: number): ApiKey | null {
    return this.#keys.get(id) ?? null;
  }

  isRevoked(keyId: number): boolean {
    return (this.#keys.get(keyId)?.revokedAt ?? null) !== null;
  }

  isTestKey(keyId: number): boolean {
    return this.#testKeys.has(keyId);
  }

  keys(): ApiKey[] {
    return [...this.#keys.values()];
  }

  keysOf(accountId: number): ApiKey[] {
    return this.keys().filter((key) => key.accountId === accountId);
  }

  /** The account's sender with this name, active or not; null if removed. */
  sender(accountId: number, name: string): Sender | null {
    return this.#sendersByName.get(accountId)?.get(name) ?? null;
  }

  /** Includes removed senders: their messages may still be waiting. */
  senderById(id: number): Sender | null {
    return this.#senders.get(id) ?? null;
  }

  /** The account's senders that are not removed, in order of creation. */
  sendersOf(accountId: number): Sender[] {
    return [...(this.#sendersByName.get(accountId)?.values() ?? [])].sort((a, b) => a.id - b.id);
  }

  /** Includes removed routes: parts may still be waiting for receipts. */
  routeById(id: number): Route | null {
    return this.#routes.get(id) ?? null;
  }

  route(name: string): Route | null {
    return this.#routesByName.get(name) ?? null;
  }

  /** Routes that are not removed, including disabled ones. */
  routes(): Route[] {
    return [...this.#routesByName.values()].sort((a, b) => a.id - b.id);
  }

  /** Includes removed routes. */
  allRoutes(): Route[] {
    return [...this.#routes.values()];
  }

  /** The simulator route for messages of test keys; empty if it was removed or another kind of route has its name. */
  readonly sandboxRoutes = (): readonly number[] => {
    const route = this.#routesByName.get(sandboxRouteName);
    return route?.kind === "simulator" ? [route.id] : [];
  };

  /**
   * Ids of a sender's own routes, preferred first, including disabled ones; the default route if it has neither routes
   * nor a plan.
   */
  routesOf(senderId: number): readonly number[] {
    const known = this.#routesBySender.get(senderId);
    if (known !== undefined) return known;
    const resolved = this.#resolveRoutes(this.#senders.get(senderId));
    this.#routesBySender.set(senderId, resolved);
    return resolved;
  }

  /** The active senders of accounts that are not suspended. */
  activeSenders(): readonly Sender[] {
    if (this.#activeSenders === null) {
      const accounts = this.accounts().filter(({ status }) => status === "active");
      this.#activeSenders = accounts.flatMap(({ id }) => this.sendersOf(id)).filter(({ active }) => active);
    }
    return this.#activeSenders;
  }

  /** Throws for a sender that never existed. */
  accountOf(senderId: number): number {
    const sender = this.#senders.get(senderId);
    if (sender === undefined) throw new Error(`There is no sender ${senderId}`);
    return sender.accountId;
  }

  isSuspended(accountId: number): boolean {
    return this.#accounts.get(accountId)?.status === "suspended";
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: DirectoryListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Like every `put…`: call after committing the change. */
  putAccount(account: Account): void {
    this.#accounts.set(account.id, account);
    this.#activeSenders = null;
    for (const listener of this.#listeners) listener.accountChanged?.(account);
  }

  putKey(row: KeyRow): ApiKey {
    for (const hash of this.#hashesOfKey.get(row.id) ?? []) this.#secrets.delete(hash);
    const key = apiKeyOf(row);
    this.#keys.set(row.id, key);
    if (key.isTest) this.#testKeys.add(row.id);
    const good = row.revokedAt === null ? secretsOf(row) : [];
    for (const [hash, secret] of good) this.#secrets.set(hash, secret);
    const hashes = good.map(([hash]) => hash);
    this.#hashesOfKey.set(row.id, hashes);
    for (const listener of this.#listeners) listener.keyChanged?.(key);
    return key;
  }

  putSender(sender: Sender): void {
    this.#senders.set(sender.id, sender);
    this.#activeSenders = null;
    this.#routesBySender.delete(sender.id);
    const named = this.#sendersByName.get(sender.accountId) ?? new Map<string, Sender>();
    this.#sendersByName.set(sender.accountId, named);
    if (sender.removedAt === null) named.set(sender.sender, sender);
    else named.delete(sender.sender);
    for (const listener of this.#listeners) listener.senderChanged?.(sender);
  }

  putRoute(route: Route): void {
    const before = this.#routes.get(route.id);
    if (before !== undefined && this.#routesByName.get(before.name) === before) this.#routesByName.delete(before.name);
    this.#routes.set(route.id, route);
    this.#routesBySender.clear();
    if (route.removedAt === null) this.#routesByName.set(route.name, route);
    for (const listener of this.#listeners) listener.routeChanged?.(route);
  }

  #resolveRoutes(sender: Sender | undefined): readonly number[] {
    const { routeIds = [], planId = null } = sender ?? {};
    if (routeIds.length > 0) return routeIds.filter((id) => this.#routes.get(id)?.removedAt === null);
    if (planId !== null) return [];
    const fallback = this.#routesByName.get(defaultRouteName);
    return fallback === undefined ? [] : [fallback.id];
  }
}

function apiKeyOf(row: KeyRow): ApiKey {
  const { id, accountId, name, isTest, requestsPerMinute, expiresAt, revokedAt, previousUntil, createdAt } = row;
  const permissions = new Set(permissionsOf(row.permissions));
  const allowFrom = rangesOf(row.allowFrom);
  const { operatorRate, operatorPermissions, operatorExpiresAt, operatorAllowFrom } = row;
  return {
    id,
    accountId,
    name,
    isTest,
    requestsPerMinute,
    permissions,
    allowFrom,
    expiresAt,
    limits: {
      rate: operatorRate,
      permissions: operatorPermissions === null ? null : permissionsOf(operatorPermissions),
      expiresAt: operatorExpiresAt,
      allowFrom: operatorAllowFrom === null ? null : rangesOf(operatorAllowFrom),
    },
    revokedAt,
    previousUntil,
    createdAt,
  };
}

function secretsOf(row: KeyRow): [hash: string, secret: Secret][] {
  const expiresAt = row.expiresAt ?? Number.POSITIVE_INFINITY;
  const present: [string, Secret] = [row.secretHash.toString("hex"), { keyId: row.id, until: expiresAt }];
  if (row.previousHash === null || row.previousUntil === null) return [present];
  const until = Math.min(row.previousUntil, expiresAt);
  return [present, [row.previousHash.toString("hex"), { keyId: row.id, until }]];
}
