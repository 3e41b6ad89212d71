/**
 * Accounts, keys, senders and routes in the operator API's answers: ids with their prefix, times in ISO 8601, no
 * secrets.
 */

import type { DownSpan, RouteStatus } from "../dispatch/route-set.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";
import type { Account, ApiKey, Directory, Route, Sender } from "../messaging/directory/directory.ts";
import { parseFile } from "../messaging/directory/route-service.ts";
import { countryCodes } from "../messaging/directory/sending-countries.ts";
import type { Plans } from "../messaging/routing/plans.ts";
import { quietWindowTexts } from "../messaging/rules/quiet-hours.ts";
import { isoTime } from "../platform/clock.ts";
import type { CarrierCallbackUrls } from "../providers/http/callback-receiver.ts";
import { accountIdText, keyIdText } from "./ids.ts";

export const timeOrNull = (epochMs: number | null) => (epochMs === null ? null : isoTime(epochMs));

export type AccountAnswer = ReturnType<typeof accountAnswer>;

export function accountAnswer({
  id,
  name,
  status,
  defaultSender,
  countries,
  timeZone,
  suppressionScope,
  quietHours,
  quietSingles,
  retentionDays,
  textDays,
  keysMax,
  credentialsMax,
  bindsMax,
  windowMax,
  rateMax,
  note,
  createdAt,
}: Account) {
  return {
    id: accountIdText(id),
    name,
    status,
    defaultSender,
    /** Countries that it may send to: null if the settings decide, empty for every country. */
    countries: countries === null ? null : countryCodes(countries),
    /** The time zone in which its days begin; null if the settings decide. */
    timeZone,
    /** Which of its messages the suppression lists block. */
    suppression: suppressionScope,
    /** Windows in which its bulk messages wait: null if the settings decide, empty for none. */
    quietHours: quietHours === null ? null : quietWindowTexts(quietHours),
    /** Whether its single messages wait then as well; null if the settings decide. */
    quietSingles,
    /** Days after which its messages are deleted, and after which their texts are; null if the settings decide. */
    retentionDays,
    textDays,
    /** Keys and credentials that its customer may have, and the most of each: null for the default, of rateMax for none. */
    keysMax,
    credentialsMax,
    bindsMax,
    windowMax,
    /** Messages a second of a credential, and requests a second of a key. */
    rateMax,
    /** The operators' note about it; null for none, and for its customer. */
    note,
    createdAt: isoTime(createdAt),
  };
}

export type KeyStatus = "active" | "expired" | "revoked";

export type KeyAnswer = ReturnType<typeof keyAnswer>;

export function keyStatus({ revokedAt, expiresAt }: Pick<ApiKey, "revokedAt" | "expiresAt">, now: number): KeyStatus {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "active";
}

const dayMs = 24 * 3_600_000;
/** How long before its end a key is reported. */
const keyEndsMs = 14 * dayMs;
/** A key without an end. */
const keyOldMs = 365 * dayMs;

/** Whether it is valid and should be renewed: it ends soon, or has no end and is old. */
export function isKeyDue(key: Pick<ApiKey, "revokedAt" | "expiresAt" | "createdAt">, now: number): boolean {
  if (keyStatus(key, now) !== "active") return false;
  return key.expiresAt === null ? now - key.createdAt > keyOldMs : key.expiresAt - now < keyEndsMs;
}

export function keyAnswer(key: ApiKey, now: number) {
  return {
    id: keyIdText(key.id),
    account: accountIdText(key.accountId),
    name: key.name,
    /** A test key's messages only go to the simulator. */
    test: key.isTest,
    status: keyStatus(key, now),
    /** Requests per minute; null if the settings decide. */
    rate: key.requestsPerMinute,
    permissions: [...key.permissions],
    /** IP addresses and CIDR ranges that it may be used from; empty: from anywhere. */
    allowFrom: key.allowFrom,
    expiresAt: timeOrNull(key.expiresAt),
    revokedAt: timeOrNull(key.revokedAt),
    /** When the previous secret stops being valid; null if it already has. */
    previousSecretUntil: key.previousUntil !== null && key.previousUntil > now ? isoTime(key.previousUntil) : null,
    createdAt: isoTime(key.createdAt),
  };
}

/** What an operator set, within which the customer may choose; null where no operator did. */
export const keyLimitsAnswer = ({ limits }: ApiKey) => ({ ...limits, expiresAt: timeOrNull(limits.expiresAt) });

export type CredentialLimitsAnswer = ReturnType<typeof credentialLimitsAnswer>;

/** The same for a credential. */
export const credentialLimitsAnswer = ({ operatorRate, operatorBinds, operatorWindow }: CustomerCredential) => ({
  rate: operatorRate,
  binds: operatorBinds,
  window: operatorWindow,
});

interface SenderDeps {
  directory: Directory;
  routingPlans: { plans: Pick<Plans, "byId"> };
}

export type SenderAnswer = ReturnType<typeof senderAnswer>;

export function senderAnswer(sender: Sender, { directory, routingPlans }: SenderDeps) {
  const routes = directory.routesOf(sender.id).flatMap((id) => directory.routeById(id)?.name ?? []);
  return {
    account: accountIdText(sender.accountId),
    sender: sender.sender,
    active: sender.active,
    /** The routing plan that takes precedence for its messages; null for none. */
    plan: sender.planId === null ? null : (routingPlans.plans.byId(sender.planId)?.name ?? null),
    /** Its own routes, in order of preference. */
    routes,
    /** True where neither a route nor a plan was chosen for it. */
    usesDefaultRoute: sender.routeIds.length === 0 && sender.planId === null,
    createdAt: isoTime(sender.createdAt),
  };
}

export type RouteAnswer = ReturnType<typeof routeAnswer>;

/**
 * `callbacks` is for a single route only, never for lists: these URLs contain a secret that lets its holder report
 * receipts.
 */
export function routeAnswer(route: Route, state: RouteStatus | null, callbacks: CarrierCallbackUrls | null = null) {
  return {
    name: route.name,
    kind: route.kind,
    enabled: route.enabled,
    up: state?.health.up ?? false,
    /** Since when it has been draining: it accepts no messages and waits for answers and receipts; null otherwise. */
    drainingSince: timeOrNull(route.drainingSince),
    options: parseFile(route.options),
    /** Passwords and tokens are stored; they are never shown. */
    hasSecrets: route.sealedSecrets !== null,
    /**
     * URLs that the provider calls; null in lists and for a route without callbacks. An empty URL means that the
     * provider makes no such calls.
     */
    callbacks: callbacks === null ? null : callbacksAnswer(callbacks),
    /** Null while the route is disabled. */
    state: state === null ? null : routeStateAnswer(state),
    createdAt: isoTime(route.createdAt),
    updatedAt: isoTime(route.updatedAt),
  };
}

function callbacksAnswer({ receiptUrl, inboundUrl, refused }: CarrierCallbackUrls) {
  /** Calls since the provider's last good one; null where there are none. */
  return { receiptUrl, inboundUrl, refused: refused === null ? null : { ...refused, at: isoTime(refused.at) } };
}

/** `why`: null if it is not known. */
export const spansAnswer = (spans: readonly DownSpan[]) =>
  spans.map(({ from, to, why }) => ({ from: isoTime(from), to: timeOrNull(to), why }));

function routeStateAnswer({ health, unanswered, partsPerSecondNow, counts, downs, startedAt }: RouteStatus) {
  return {
    window: health.window,
    unanswered,
    partsPerSecond: health.partsPerSecond,
    partsPerSecondNow,
    /** What should be fixed although the route is up, one sentence each. */
    warnings: [...(health.warnings ?? [])],
    /** The same as data. */
    warningReasons: [...(health.warningReasons ?? [])],
    links: health.links.map((link) => ({ ...link, since: isoTime(link.since) })),
    counts: { ...counts },
    startedAt: isoTime(startedAt),
    /** When it took no messages since then, oldest first; `to`: null while it lasts. */
    downs: spansAnswer(downs),
  };
}
