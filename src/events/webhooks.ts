/** The webhook rooms put together: what a customer manages, what is delivered, and what an operator sees of it. */
import { createAddressPolicy } from "../domain/address-policy.ts";
import { parseTrustedDestinations } from "../domain/destination-url.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import type { Store } from "../store/store.ts";
import { Attempts } from "./attempt.ts";
import { type DeliveryObserver, deliverer } from "./deliverer.ts";
import { deliveryDesk } from "./delivery-desk.ts";
import { DestinationGuard, interfaceAddresses } from "./guard.ts";
import { recordEvents } from "./recorder.ts";
import { type Resolver, systemResolver } from "./resolver.ts";
import { TlsTransport } from "./tls-transport.ts";
import { webhookDesk } from "./webhook-desk.ts";

export interface WebhookParts {
  store: Store;
  clock: Clock;
  random: Random;
  log: Logger;
  sealer: Sealer;
  isSuspended(accountId: number): boolean;
  observer: DeliveryObserver;
  /** `host:port`, as the settings have them. */
  trustedDestinations: readonly string[];
  deniedRanges: readonly string[];
  /** PEM of authorities that are trusted beside the system's; null for none. */
  extraCertificates: string | null;
  resolver?: Resolver;
}

export type Webhooks = ReturnType<typeof webhooks>;

/**
 * From here on every status change and inbound message writes its events; nothing is sent before `start`.
 * @throws InvalidTrustedDestination, InvalidAddressRange, and what OpenSSL says of certificates that it cannot read.
 */
export function webhooks(parts: WebhookParts) {
  const { store, clock, random, log, sealer, isSuspended, observer } = parts;
  const trusted = parseTrustedDestinations(parts.trustedDestinations);
  const policy = createAddressPolicy(parts.deniedRanges);
  const resolver = parts.resolver ?? systemResolver;
  const guard = new DestinationGuard({ resolver, policy, ownAddresses: interfaceAddresses });
  const transport = new TlsTransport(clock, parts.extraCertificates);
  const attempts = new Attempts({ clock, guard, transport, trusted });
  const sender = deliverer({ store, clock, random, log, attempts, openSecret: sealer.open, isSuspended, observer });
  recordEvents(store, { clock, random });

  return {
    desk: webhookDesk({ store, clock, random, guard, trusted, seal: sealer.seal, changed: sender.changed }),
    deliveries: deliveryDesk({ store, clock, wake: sender.wake }),
    /** An account was suspended or resumed. */
    accountChanged: sender.accountChanged,
    inFlight: sender.inFlight,
    start: sender.start,
    /** Waits up to `graceMs` for what is under way; what is cut is sent again after the next start. */
    async stop(graceMs: number): Promise<void> {
      await sender.stop(graceMs);
      transport.close();
    },
  };
}
