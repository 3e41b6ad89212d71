/** Puts callbacks together: the webhooks that customers manage, their delivery, and what operators see of it. */
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
import { DeliveryService } from "./delivery-service.ts";
import { DestinationGuard, interfaceAddresses } from "./destination-guard.ts";
import { forgetOldEvents, recordEvents } from "./events.ts";
import { type Resolver, systemResolver } from "./resolver.ts";
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
  resolver?: Resolver;
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
  const resolver = deps.resolver ?? systemResolver;
  const guard = new DestinationGuard({ resolver, policy, ownAddresses: interfaceAddresses });
  const transport = new TlsTransport(clock, settings.caFile === null ? null : readCertificates(settings.caFile));
  const attempts = new CallbackAttempts({ clock, guard, transport, trusted });
  const openSecret = sealer.open;
  const deliverer = new Deliverer({ store, clock, random, log, attempts, openSecret, isSuspended, observer });
  const changed = (webhookId: number) => deliverer.changed(webhookId);
  recordEvents(store, { clock, random });

  return {
    /** For what is no customer's: the same guard and transport. */
    attempts,
    service: new WebhookService({ store, clock, random, guard, trusted, seal: sealer.seal, changed }),
    secrets: new SecretRotation({ store, clock, random, seal: sealer.seal, changed }),
    deliveries: new DeliveryService({ store, clock, wake: (webhookIds) => deliverer.wake(webhookIds) }),
    /** One run of retention; the caller decides when. */
    forgetOld: () => forgetOldEvents(store, clock.now(), settings.eventRetentionDays),
    /** An account was suspended or resumed. */
    accountChanged: (accountId: number): void => deliverer.accountChanged(accountId),
    inFlight: (): number => deliverer.inFlight,
    start: (): void => deliverer.start(),
    /** Waits up to `graceMs` for attempts under way; those that are cut off are made again after the next start. */
    async stop(graceMs: number): Promise<void> {
      await deliverer.stop(graceMs);
      transport.close();
    },
  };
}
