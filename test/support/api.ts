/** A real public API on a real socket over a real store, with an account, a key and a sender. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import { permissions } from "../../src/domain/permissions.ts";
import type { RecipientNumbers } from "../../src/domain/phone-number.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { type PublicApiDeps, publicApi } from "../../src/http/api.ts";
import { listenPublicly } from "../../src/http/listener.ts";
import { inbox } from "../../src/inbound/inbox.ts";
import { openBilling } from "../../src/messaging/billing/billing.ts";
import { accountService, keyService, type NewKeyInput } from "../../src/messaging/directory/account-service.ts";
import { AccountTimeZones } from "../../src/messaging/directory/account-time-zones.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { SendingCountries } from "../../src/messaging/directory/sending-countries.ts";
import { openGroups } from "../../src/messaging/groups/groups.ts";
import { Acceptor, type QueuedMessage } from "../../src/messaging/messages/accept.ts";
import { canceller } from "../../src/messaging/messages/cancel.ts";
import { tracker } from "../../src/messaging/messages/track.ts";
import { openOtp } from "../../src/messaging/otp/otp.ts";
import { otpTexts } from "../../src/messaging/otp/otp-texts.ts";
import { openPatterns } from "../../src/messaging/patterns/patterns.ts";
import { openQuotas } from "../../src/messaging/quotas/quotas.ts";
import { RefusedRequests } from "../../src/messaging/refusals/refused-requests.ts";
import { Networks } from "../../src/messaging/routing/networks.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { deriveHashKey } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Store } from "../../src/store/store.ts";
import type { Resolver } from "../../src/webhooks/resolver.ts";
import { openWebhooks } from "../../src/webhooks/webhooks.ts";
import { apiClient } from "./api-client.ts";
import { leadershipOf } from "./api-cluster.ts";
import { believedBy } from "./booking.ts";
import { ManualClock } from "./manual-clock.ts";
import { openMigratedStore } from "./migrated-store.ts";

/** The sender that every test account starts with. */
export const sender = "982000123";

export type Api = Awaited<ReturnType<typeof startApi>>;

export interface ApiOptions extends Partial<Pick<PublicApiDeps, "log" | "readiness" | "observer">> {
  /** The setting sending.countries. */
  sendingCountries?: readonly string[];
  http?: Partial<PublicApiDeps["settings"]["http"]>;
  mismatch?: "replay" | "reject";
  /** Other numbers that count as mobile. */
  numbers?: Partial<RecipientNumbers>;
  /** What webhook host names resolve to; nothing by default. */
  resolver?: Resolver;
  /** Replaces the store when messages are accepted. */
  acceptingStore?: Store;
  /** Where to listen; any free port by default. */
  port?: number;
  /** For every key; high by default, since most tests are not about rates. */
  requestsPerMinute?: number;
}

/** Everything behind the API, with a store of its own. */
async function openServices(options: ApiOptions) {
  const settings = defaultSettings();
  const clock = new ManualClock(Date.parse("2026-11-20T15:36:00.000Z"));
  const random = systemRandom;
  const folder = mkdtempSync(join(tmpdir(), "peyk-api-"));
  const leadership = await leadershipOf(folder, clock.now());
  const store = openMigratedStore({
    folder,
    now: clock.now(),
    ...(leadership && { replication: leadership.replication }),
  });
  const directory = new Directory(store.tables, clock);
  const shared = { store, directory, clock, bookingClock: believedBy(clock), random };
  const accounts = accountService(shared);
  const keys = keyService(shared);
  const senders = senderService(shared);
  const waiting: QueuedMessage[] = [];

  const hooks = openWebhooks({
    store,
    clock,
    random,
    log: silentLog,
    sealer: createSealer(random.bytes(32)),
    isSuspended: (accountId) => directory.isSuspended(accountId),
    observer: { attempted: () => {}, ended: () => {} },
    settings: { ...settings.webhooks, eventRetentionDays: settings.events.retentionDays },
    callbackNetwork: { resolver: options.resolver ?? { resolve: () => Promise.resolve([]) } },
  });
  const accepted = (messages: readonly QueuedMessage[]) => void waiting.push(...messages);
  const timeZones = new AccountTimeZones({ directory, timeZone: "Asia/Tehran" });
  const quotas = openQuotas({ ...shared, log: silentLog, timeZones, calendar: "gregory" });
  const billing = openBilling({
    ...shared,
    networks: new Networks(store.tables),
    log: silentLog,
    timeZone: "Asia/Tehran",
    currency: "IRR",
  });
  const acceptance = new Acceptor({
    store: options.acceptingStore ?? store,
    trackingCodes: trackingCodes(clock, random),
    directory,
    validityMs: 48 * 3_600_000,
    mismatch: options.mismatch ?? "replay",
    accepted,
    mismatched: () => {},
    rules: new TrafficRules([billing.rule], [quotas.guard, billing.guard]),
  });
  const key = random.bytes(32);
  const texts = otpTexts(createSealer(key));
  const sending = { ...shared, log: silentLog, acceptor: acceptance, accepted };
  const { defaultRegion } = settings;
  const countries = new SendingCountries({ directory, countries: options.sendingCountries ?? [] });
  const groups = openGroups({
    ...sending,
    defaultRegion,
    numbers: settings.messages,
    countries,
    membersMax: settings.groups.membersMax,
  });
  const patterns = openPatterns(sending);
  const otp = openOtp({
    ...sending,
    patterns: patterns.sender,
    mayExpire: () => true,
    texts,
    hashKey: (purpose) => deriveHashKey(key, purpose),
    settings: settings.otp,
  });
  return {
    settings,
    ...shared,
    folder,
    leadership,
    accounts,
    keys,
    senders,
    waiting,
    acceptor: acceptance,
    countries,
    groups,
    patterns,
    otp,
    texts,
    quotas: quotas.service,
    billing,
    webhooks: hooks.service,
  };
}

export async function startApi(options: ApiOptions = {}) {
  const services = await openServices(options);
  const { settings, store, clock, folder, leadership, accounts, keys, senders, groups } = services;
  const refusedRequests = new RefusedRequests(clock);
  const api = publicApi({
    ...services,
    refusedRequests,
    canceller: canceller(store, clock),
    tracker: tracker(store),
    inbox: inbox(store, clock),
    settings: {
      defaultRegion: settings.defaultRegion,
      messages: { ...settings.messages, ...options.numbers },
      http: { ...settings.http, ...options.http },
      sandbox: settings.sandbox,
    },
    gate: leadership?.gate ?? null,
    log: silentLog,
    readiness: async () => ({ store: true, schedulers: true, routes: true }),
    ...options,
  });
  const close = () => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const listener = listening(
    () => listenPublicly(api, { hostname: "127.0.0.1", port: options.port ?? 0, clock: systemClock, lingerMs: 0 }),
    close,
  );
  const { port } = listener;
  const base = `http://127.0.0.1:${port}`;

  /** An account with one key and one active sender. */
  async function customer(input: Partial<NewKeyInput> = {}) {
    const account = await accounts.create("Clinic");
    const requestsPerMinute = options.requestsPerMinute ?? 1_000_000;
    const defaults = { name: "test", permissions, requestsPerMinute, expiresAt: null };
    const { key, apiKey } = await keys.create(account.id, { ...defaults, ...input });
    await senders.add(account.id, sender, true, []);
    return { accountId: account.id, keyId: key.id, apiKey };
  }

  const first = await customer();
  return {
    refusedRequests,
    ...services,
    base,
    port,
    api,
    customer,
    ...first,
    /** Of the first customer. */
    ...apiClient(base, port, first.apiKey),
    async stop() {
      await listener.stop();
      await groups.stop();
      await store.drain();
      close();
      await leadership?.abandon();
    },
  };
}

/** The result of `open`; if that throws, nothing is left open. */
function listening<Listener>(open: () => Listener, close: () => void): Listener {
  try {
    return open();
  } catch (reason) {
    close();
    throw reason;
  }
}

/** A body that POST /v1/messages accepts. */
export function singleMessage(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { sender, recipient: "09121234567", message: "سلام", ...changes };
}
