/** The webhook rooms put together: what a customer manages, what is delivered, and what an operator sees of it. */
import { createAddressPolicy } from "../domain/address-policy.ts";
import { parseTrustedDestinations } from "../domain/destination-url.ts";
import { readCertificates } from "../platform/ca-file.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import type { Store } from "../store/store.ts";
import { CallbackAttempts } from "./attempt.ts";
import { Deliverer, type DeliveryObserver } from "./deliverer.ts";
import { deliveryService } from "./delivery-service.ts";
import { DestinationGuard, interfaceAddresses } from "./destination-guard.ts";
import { recordEvents } from "./event-recorder.ts";
import { type Resolver, systemResolver } from "./resolver.ts";
import { forgetOldEvents } from "./retention.ts";
import { TlsTransport } from "./transport/tls-transport.ts";
import { webhookService } from "./webhook-service.ts";

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
  resolver?: Resolver;
}

export type Webhooks = ReturnType<typeof openWebhooks>;

/**
 * From here on every status change and inbound message writes its events; nothing is sent before `start`.
 * @throws InvalidTrustedDestination, InvalidAddressRange and CertificateFileUnusable.
 */
export function openWebhooks(parts: WebhooksDeps) {
  const { store, clock, random, log, sealer, isSuspended, observer, settings } = parts;
  const trusted = parseTrustedDestinations(settings.trustedDestinations);
  const policy = createAddressPolicy(settings.denyCidrs);
  const resolver = parts.resolver ?? systemResolver;
  const guard = new DestinationGuard({ resolver, policy, ownAddresses: interfaceAddresses });
  const transport = new TlsTransport(clock, settings.caFile === null ? null : readCertificates(settings.caFile));
  const attempts = new CallbackAttempts({ clock, guard, transport, trusted });
  const sender = new Deliverer({ store, clock, random, log, attempts, openSecret: sealer.open, isSuspended, observer });
  recordEvents(store, { clock, random });

  return {
    desk: webhookService({
      store,
      clock,
      random,
      guard,
      trusted,
      seal: sealer.seal,
      changed: (id) => sender.changed(id),
    }),
    deliveries: deliveryService({ store, clock, wake: (ids) => sender.wake(ids) }),
    /** One run of retention; the appliance says when. */
    forgetOld: () => forgetOldEvents(store, clock.now(), settings.eventRetentionDays),
    /** An account was suspended or resumed. */
    accountChanged: (accountId: number): void => sender.accountChanged(accountId),
    inFlight: (): number => sender.inFlight,
    start: (): void => sender.start(),
    /** Waits up to `graceMs` for what is under way; what is cut is sent again after the next start. */
    async stop(graceMs: number): Promise<void> {
      await sender.stop(graceMs);
      transport.close();
    },
  };
}
