/** Accounts, keys, senders and routes in memory: what every request and every submit asks for, without touching the disk. */
import { isPermission, type Permission } from "../../domain/permissions.ts";
import type { AccountRow } from "../../store/accounts.ts";
import type { KeyRow } from "../../store/keys.ts";
import type { RouteRow } from "../../store/routes.ts";
import type { SenderRow } from "../../store/senders.ts";
import type { Tables } from "../../store/store.ts";

export type Account = Readonly<AccountRow>;
export type Sender = Readonly<SenderRow>;
export type Route = Readonly<RouteRow>;

/** An API key without its secret. Times are epoch milliseconds. */
export interface ApiKey {
  id: number;
  accountId: number;
  name: string;
  /** Null: the rate of the settings. */
  requestsPerMinute: number | null;
  permissions: ReadonlySet<Permission>;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Until when the secret before the last rotation is good, too. */
  previousUntil: number | null;
  createdAt: number;
}

/** Told after a change is on disk and in memory. Removed senders and routes come with their `removedAt`. */
export interface DirectoryListener {
  accountChanged?(account: Account): void;
  senderChanged?(sender: Sender): void;
  routeChanged?(route: Route): void;
}

/** The name of the route which stands in where a sender has none. */
export const defaultRouteName = "simulator";

interface Secret {
  keyId: number;
  /** Epoch milliseconds after which this secret is no longer good. */
  until: number;
}

export type Directory = ReturnType<typeof openDirectory>;

export function openDirectory(tables: Tables, clock: { now(): number }) {
  const accounts = new Map<number, Account>();
  const keys = new Map<number, ApiKey>();
  const secrets = new Map<string, Secret>();
  const hashesOfKey = new Map<number, string[]>();
  const senders = new Map<number, Sender>();
  const sendersByName = new Map<number, Map<string, Sender>>();
  const routes = new Map<number, Route>();
  const routesByName = new Map<string, Route>();
  /** Resolved once and asked for at every submit; forgotten at any change of a route, and of its sender. */
  const routesBySender = new Map<number, readonly number[]>();
  const listeners = new Set<DirectoryListener>();

  function putAccount(account: Account): void {
    accounts.set(account.id, account);
    for (const listener of listeners) listener.accountChanged?.(account);
  }

  function putKey(row: KeyRow): ApiKey {
    for (const hash of hashesOfKey.get(row.id) ?? []) secrets.delete(hash);
    const key = apiKeyOf(row);
    keys.set(row.id, key);
    const good = row.revokedAt === null ? secretsOf(row) : [];
    for (const [hash, secret] of good) secrets.set(hash, secret);
    hashesOfKey.set(
      row.id,
      good.map(([hash]) => hash),
    );
    return key;
  }

  function putSender(sender: Sender): void {
    senders.set(sender.id, sender);
    routesBySender.delete(sender.id);
    const named = sendersByName.get(sender.accountId) ?? new Map<string, Sender>();
    sendersByName.set(sender.accountId, named);
    if (sender.removedAt === null) named.set(sender.sender, sender);
    else named.delete(sender.sender);
    for (const listener of listeners) listener.senderChanged?.(sender);
  }

  function putRoute(route: Route): void {
    const before = routes.get(route.id);
    if (before !== undefined && routesByName.get(before.name) === before) routesByName.delete(before.name);
    routes.set(route.id, route);
    routesBySender.clear();
    if (route.removedAt === null) routesByName.set(route.name, route);
    for (const listener of listeners) listener.routeChanged?.(route);
  }

  function resolveRoutes(routeIds: readonly number[]): readonly number[] {
    if (routeIds.length > 0) return routeIds.filter((id) => routes.get(id)?.removedAt === null);
    const fallback = routesByName.get(defaultRouteName);
    return fallback === undefined ? [] : [fallback.id];
  }

  for (const row of tables.accounts.all()) putAccount(row);
  for (const row of tables.keys.all()) putKey(row);
  for (const row of tables.routes.all()) putRoute(row);
  for (const row of tables.senders.all()) putSender(row);

  return {
    /** The key with this secret (SHA-256, hexadecimal) and its account; null when unknown, revoked or expired. */
    keyByHash(hash: string): { key: ApiKey; account: Account } | null {
      const secret = secrets.get(hash);
      if (secret === undefined || secret.until <= clock.now()) return null;
      const key = keys.get(secret.keyId);
      const account = key === undefined ? undefined : accounts.get(key.accountId);
      return key === undefined || account === undefined ? null : { key, account };
    },
    account: (id: number): Account | null => accounts.get(id) ?? null,
    accounts: (): Account[] => [...accounts.values()],
    key: (id: number): ApiKey | null => keys.get(id) ?? null,
    keys: (): ApiKey[] => [...keys.values()],

    /** The account's sender of this name, active or not; null when removed. */
    sender: (accountId: number, name: string): Sender | null => sendersByName.get(accountId)?.get(name) ?? null,
    /** Also a removed one: its messages still wait. */
    senderById: (id: number): Sender | null => senders.get(id) ?? null,
    /** The account's senders that are not removed, in the order of their creation. */
    sendersOf: (accountId: number): Sender[] =>
      [...(sendersByName.get(accountId)?.values() ?? [])].sort((a, b) => a.id - b.id),

    /** Also a removed one: parts still wait for receipts. */
    routeById: (id: number): Route | null => routes.get(id) ?? null,
    route: (name: string): Route | null => routesByName.get(name) ?? null,
    /** Those that are not removed, disabled ones too. */
    routes: (): Route[] => [...routesByName.values()].sort((a, b) => a.id - b.id),
    /** Ids of a sender's routes, the preferred one first, disabled ones too; the default route for a sender without any. */
    routesOf(senderId: number): readonly number[] {
      const known = routesBySender.get(senderId);
      if (known !== undefined) return known;
      const resolved = resolveRoutes(senders.get(senderId)?.routeIds ?? []);
      routesBySender.set(senderId, resolved);
      return resolved;
    },
    /** Throws for a sender that never existed. */
    accountOf(senderId: number): number {
      const sender = senders.get(senderId);
      if (sender === undefined) throw new Error(`There is no sender ${senderId}`);
      return sender.accountId;
    },
    isSuspended: (accountId: number): boolean => accounts.get(accountId)?.status === "suspended",

    /** Returns what ends the subscription. */
    subscribe(listener: DirectoryListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** For those who have just committed a change, and for nobody else. */
    put: { account: putAccount, key: putKey, sender: putSender, route: putRoute },
  };
}

function apiKeyOf(row: KeyRow): ApiKey {
  const { id, accountId, name, requestsPerMinute, expiresAt, revokedAt, previousUntil, createdAt } = row;
  const permissions = new Set(row.permissions.split(" ").filter(isPermission));
  return { id, accountId, name, requestsPerMinute, permissions, expiresAt, revokedAt, previousUntil, createdAt };
}

function secretsOf(row: KeyRow): [hash: string, secret: Secret][] {
  const expiresAt = row.expiresAt ?? Number.POSITIVE_INFINITY;
  const present: [string, Secret] = [row.secretHash.toString("hex"), { keyId: row.id, until: expiresAt }];
  if (row.previousHash === null || row.previousUntil === null) return [present];
  const until = Math.min(row.previousUntil, expiresAt);
  return [present, [row.previousHash.toString("hex"), { keyId: row.id, until }]];
}
