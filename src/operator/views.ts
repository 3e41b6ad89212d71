/** Accounts, keys, senders and routes as the operator API shows them: ids with their prefix, times in ISO 8601, no secrets. */

import type { RouteStatus } from "../dispatch/route-set.ts";
import type { Account, ApiKey, Directory, Route, Sender } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { isoTime } from "../platform/clock.ts";
import { accountIdText, keyIdText } from "./ids.ts";

export const timeOrNull = (epochMs: number | null) => (epochMs === null ? null : isoTime(epochMs));

export function accountView({ id, name, status, defaultSender, createdAt }: Account) {
  return { id: accountIdText(id), name, status, defaultSender, createdAt: isoTime(createdAt) };
}

export type KeyStatus = "active" | "expired" | "revoked";

export function keyView(key: ApiKey, now: number) {
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  const status: KeyStatus = key.revokedAt !== null ? "revoked" : expired ? "expired" : "active";
  return {
    id: keyIdText(key.id),
    account: accountIdText(key.accountId),
    name: key.name,
    status,
    /** Requests per minute; null where the settings decide. */
    rate: key.requestsPerMinute,
    permissions: [...key.permissions],
    expiresAt: timeOrNull(key.expiresAt),
    revokedAt: timeOrNull(key.revokedAt),
    /** Until when the secret before the last rotation is good, too. */
    previousSecretUntil: key.previousUntil !== null && key.previousUntil > now ? isoTime(key.previousUntil) : null,
    createdAt: isoTime(key.createdAt),
  };
}

export function senderView(sender: Sender, directory: Directory) {
  const routes = directory.routesOf(sender.id).flatMap((id) => directory.routeById(id)?.name ?? []);
  return {
    account: accountIdText(sender.accountId),
    sender: sender.sender,
    active: sender.active,
    /** In order of preference. */
    routes,
    /** No route was chosen for it: it uses the default one. */
    usesDefaultRoute: sender.routeIds.length === 0,
    createdAt: isoTime(sender.createdAt),
  };
}

export interface CallbackUrls {
  receiptUrl: string;
  inboundUrl: string;
}

/** `callbacks` is given where one route is shown, and never in lists: whoever has these addresses can report on messages. */
export function routeView(route: Route, state: RouteStatus | null, callbacks: CallbackUrls | null = null) {
  return {
    name: route.name,
    kind: route.kind,
    enabled: route.enabled,
    up: state?.health.up ?? false,
    options: parseFile(route.options),
    /** Passwords and tokens are stored, and are not shown. */
    hasSecrets: route.sealedSecrets !== null,
    /** Where the provider calls Peyk; null in lists, and for a route that nobody calls. An empty address: no such calls. */
    callbacks,
    /** Null while it is disabled. */
    state: state === null ? null : stateView(state),
    createdAt: isoTime(route.createdAt),
    updatedAt: isoTime(route.updatedAt),
  };
}

function stateView({ health, unanswered, partsPerSecondNow, counts }: RouteStatus) {
  return {
    window: health.window,
    unanswered,
    partsPerSecond: health.partsPerSecond,
    partsPerSecondNow,
    links: health.links.map((link) => ({ ...link, since: isoTime(link.since) })),
    counts: { ...counts },
  };
}
