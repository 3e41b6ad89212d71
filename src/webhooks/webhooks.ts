/** Assembles callbacks: the webhooks that customers manage, their delivery, and what operators see of it. */
import { createAddressPolicy } from "../domain/address-policy.ts";
import { parseTrustedDestinations } from "../domain/destination-url.ts";
import { readCertificates } from "../platform/ca-file.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import type { AnswerGate } from "../store/replication.ts";
import type { Store, Tables } from "../store/store.ts";
import { CallbackAttempts } from "./attempt.ts";
import type { CallbackNetwork } from "./callback-network.ts";
import { webhookLimits } from "./concurrency-limiter.ts";
import { Deliverer, type DelivererDeps, type DeliveryObserver } from "./deliverer.ts";
import { DeliveryService } from "./delivery-service.ts";
import { DestinationGuard, interfaceAddresses } from "./destination-guard.ts";
import { forgetOldEvents, forgetUnusedQueues, recordEvents } from "./events.ts";
import { FailedNames } from "./failed-names.ts";
import { systemResolver } from "./resolver.ts";
import { SecretRotation } from "./secret-rotation.ts";
import { TlsTransport } from "./transport/tls-transport.ts";
import { WebhookService } from "./webhook-service.ts";

/** The settings under `webhooks`, and how long events are kept. */
export interface WebhookSettings {
  /** `host:port`. */
  trustedDestinations: readonly string[];
  denyCidrs: readonly string[];
  /** Path of a PEM file. */
  caFile: string | null;
  eventRetentionDays: number;
}

export interface WebhooksDeps {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  sealer: Sealer;
  isSuspended(accountId: number): boolean;
  observer: DeliveryObserver;
  settings: WebhookSettings;
  /** Awaited before each attempt; null without a cluster. */
  answerGate?: AnswerGate | null;
  /** The system's unless given. */
  callbackNetwork?: Partial<CallbackNetwork>;
}

/** The parts that differ between deliverers. */
export type OwnCallbacks = Pick<DelivererDeps, "outgoing" | "isOwn" | "ownOf" | "limits" | "givesUp">;

/** For webhooks that customers registered. */
export function customersOwn(webhooks: Tables["webhooks"], attempts: Pick<CallbackAttempts, "outgoing">): OwnCallbacks {
  return {
    outgoing({ webhook, signingSecret, delivery: { eventId, kind, body }, attempt }) {
      return attempts.outgoing({ url: webhook.url, signingSecret, eventId, kind, body, attempt });
    },
    isOwn: (webhookId) => !webhooks.isOfCredential(webhookId),
    ownOf: (accountId) => webhooks.ofAccount(accountId),
    limits: webhookLimits,
    givesUp: true,
  };
}

export type Webhooks = ReturnType<typeof openWebhooks>;

/**
 * From here on every status change and inbound message writes its events; nothing is sent before `start`.
 * @throws InvalidTrustedDestination, InvalidAddressRange and CertificateFileUnusable.
 */
export function openWebhooks(deps: WebhooksDeps) {
  const { store, clock, random, log, sealer, isSuspended, observer, settings } = deps;
  const trusted = parseTrustedDestinations(settings.trustedDestinations);
  const policy = createAddressPolicy(settings.denyCidrs);
  const authorities = settings.caFile === null ? null : readCertificates(settings.caFile);
  const { resolver = systemResolver, transport = new TlsTransport(clock, authorities) } = deps.callbackNetwork ?? {};
  const names = new FailedNames(resolver, clock);
  const guard = new DestinationGuard({ resolver: names, policy, ownAddresses: interfaceAddresses(clock) });
  const attempts = new CallbackAttempts({ clock, guard, transport, trusted, gate: deps.answerGate ?? null });
  const openSecret = sealer.open;
  const { webhooks } = store.tables;
  const shared = { store, clock, random, log, attempts, openSecret, isSuspended, observer };
  const deliverer = new Deliverer({ ...shared, ...customersOwn(webhooks, attempts) });
  const deliverers = [deliverer];
  let isStarted = false;
  const changed = (webhookId: number) => deliverer.changed(webhookId);
  const wake = (webhookIds: Iterable<number>) => {
    const ids = [...webhookIds];
    for (const one of deliverers) one.wake(ids);
  };
  recordEvents(store, { clock, random });

  return {
    /** For callbacks other than customers' webhooks: the same guard and transport. */
    attempts,
    /** Adds a deliverer for other callbacks: the same outbox, guard and transport, with separate slots. */
    alsoDeliver(own: OwnCallbacks): void {
      const other = new Deliverer({ ...shared, ...own });
      deliverers.push(other);
      if (isStarted) other.start();
    },
    service: new WebhookService({ store, clock, random, guard, trusted, seal: sealer.seal, changed }),
    secrets: new SecretRotation({ store, clock, random, seal: sealer.seal, changed }),
    deliveries: new DeliveryService({ store, clock, wake, paceOf: (webhookId) => deliverer.paceOf(webhookId) }),
    /** Runs retention once; the caller decides when. */
    async forgetOld(): Promise<number> {
      const removed = await forgetOldEvents(store, clock.now(), settings.eventRetentionDays);
      await forgetUnusedQueues(store, clock.now());
      return removed;
    },
    /** An account was suspended or resumed. */
    accountChanged(accountId: number): void {
      for (const one of deliverers) one.accountChanged(accountId);
    },
    /** Of the customers' webhooks that something waits for. */
    paces: () => deliverer.paces(),
    inFlight: (): number => deliverers.reduce((sum, one) => sum + one.inFlight, 0),
    start(): void {
      isStarted = true;
      for (const one of deliverers) one.start();
    },
    /** Waits up to `graceMs` for attempts in progress; those that are cut off are repeated after the next start. */
    async stop(graceMs: number): Promise<void> {
      await Promise.all(deliverers.map((one) => one.stop(graceMs)));
      transport.close();
    },
  };
}
