/**
 * Callbacks on a real file and real sockets: two accounts, their messages and webhooks, and a clock that the test
 * controls.
 */
import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import { parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import type { EventKind } from "../../src/domain/event.ts";
import { type MessageState, messageClasses } from "../../src/domain/message.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Store } from "../../src/store/store.ts";
import { CallbackAttempts } from "../../src/webhooks/attempt.ts";
import { Deliverer } from "../../src/webhooks/deliverer.ts";
import { DestinationGuard } from "../../src/webhooks/destination-guard.ts";
import { recordEvents } from "../../src/webhooks/events.ts";
import type { Resolver } from "../../src/webhooks/resolver.ts";
import { SecretRotation } from "../../src/webhooks/secret-rotation.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { WebhookService } from "../../src/webhooks/webhook-service.ts";
import { customersOwn } from "../../src/webhooks/webhooks.ts";
import { createAuthority, type KeyPair } from "./certificates.ts";
import { ManualClock } from "./manual-clock.ts";
import { openMigratedStore } from "./migrated-store.ts";
import { temporaryFolder } from "./test-server.ts";

const authority = createAuthority();
/** For receivers on 127.0.0.1 and for anything under hooks.lan. */
export const receiverPair: KeyPair = authority.issue({ names: ["IP:127.0.0.1", "DNS:hooks.lan", "DNS:*.hooks.lan"] });

export interface WebhookServerOptions {
  clock?: Clock;
  folder?: string;
  /** `host:port` of receivers on this machine. */
  trusted?: readonly string[];
  resolver?: Resolver;
  isSuspended?: (accountId: number) => boolean;
}

export type WebhookServer = Awaited<ReturnType<typeof createWebhookServer>>;

async function addAccounts(store: Store, now: number): Promise<void> {
  await store.write((tables) => {
    if (tables.accounts.all().length > 0) return;
    for (const name of ["One", "Two"]) {
      tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: now });
    }
  });
}

let codes = 0;

/** A message that passes through these states, each in a transaction of its own; returns its tracking code. */
async function addMessage(store: Store, clock: Clock, accountId: number, states: readonly MessageState[]) {
  codes += 1;
  const trackingCode = `code-${String(codes).padStart(10, "0")}`;
  const at = clock.now();
  const id = await store.write((tables) =>
    tables.messages.insert({
      trackingCode,
      accountId,
      senderId: 1,
      class: messageClasses.single,
      sender: "30001",
      recipient: "+989120000010",
      text: "سلام",
      clientReference: null,
      encoding: "Persian",
      characterCount: 4,
      partCount: 1,
      submittedAt: at,
      sendAt: null,
      validUntil: at + 3_600_000,
    }),
  );
  for (const to of states) {
    await store.write((tables) => {
      const row = tables.messages.byId(id);
      if (row !== null) tables.messages.move(row, { to, at: clock.now() });
    });
  }
  return trackingCode;
}

function createDeliverer(store: Store, clock: Clock, options: WebhookServerOptions) {
  const trusted = parseTrustedDestinations(options.trusted ?? []);
  const resolver = options.resolver ?? { resolve: () => Promise.resolve([]) };
  const guard = new DestinationGuard({ resolver, policy: createAddressPolicy(), ownAddresses: () => [] });
  const transport = new TlsTransport(clock, authority.cert);
  const sealer = createSealer(new Uint8Array(32));
  // A random value of one half means no jitter.
  const random = { ...systemRandom, fraction: () => 0.5 };
  const outcomes: string[] = [];
  const attempts = new CallbackAttempts({ clock, guard, transport, trusted });
  const deliverer = new Deliverer({
    store,
    clock,
    random,
    log: silentLog,
    attempts,
    ...customersOwn(store.tables.webhooks, attempts),
    openSecret: sealer.open,
    isSuspended: options.isSuspended ?? (() => false),
    gatherMs: 0,
    observer: { attempted: (outcome) => void outcomes.push(outcome), ended: () => undefined },
  });
  const changed = (webhookId: number) => deliverer.changed(webhookId);
  const service = new WebhookService({ store, clock, random, guard, trusted, seal: sealer.seal, changed });
  recordEvents(store, { clock, random });
  const secrets = new SecretRotation({ store, clock, random, seal: sealer.seal, changed });
  return { deliverer, service, secrets, transport, outcomes };
}

export async function createWebhookServer(options: WebhookServerOptions = {}) {
  const clock = options.clock ?? new ManualClock();
  const folder = options.folder === undefined ? temporaryFolder() : { path: options.folder, remove: () => {} };
  const store = openMigratedStore({ folder: folder.path, now: clock.now() });
  await addAccounts(store, clock.now());
  const { deliverer, service, secrets, transport, outcomes } = createDeliverer(store, clock, options);
  deliverer.start();

  return {
    store,
    service,
    secrets,
    deliverer,
    clock,
    /** For every attempt, as reported to the metrics. */
    outcomes,
    async register(url: string, events: readonly EventKind[] = ["message.status"], accountId = 1) {
      const { webhook, signingSecret } = await service.create(accountId, { url, events });
      const row = store.tables.webhooks.byPublicIdAnywhere(webhook.id);
      if (row === null) throw new Error("The webhook was not stored");
      return { id: webhook.id, rowId: row.id, secret: signingSecret };
    },
    addMessage: (states: readonly MessageState[], accountId = 1) => addMessage(store, clock, accountId, states),
    /** The states of a webhook's deliveries, oldest first. */
    states: (rowId: number): string[] =>
      store.tables.deliveryLog
        .ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 1_000)
        .map(({ state }) => state)
        .reverse(),
    async stop() {
      await deliverer.stop(0);
      transport.close();
      store.close();
      folder.remove();
    },
    /** As after a crash: nothing is waited for. */
    crash() {
      void deliverer.stop(0);
      transport.close();
      store.close();
    },
  };
}
