/** The webhook rooms on a real file and real sockets: an account, its messages, its webhooks, and a clock of the test. */

import { createAddressPolicy } from "../../src/domain/address-policy.ts";
import { parseTrustedDestinations } from "../../src/domain/destination-url.ts";
import type { EventKind } from "../../src/domain/event.ts";
import { type MessageState, messageClasses } from "../../src/domain/message.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CallbackAttempts } from "../../src/webhooks/attempt.ts";
import { Deliverer } from "../../src/webhooks/deliverer.ts";
import { DestinationGuard } from "../../src/webhooks/destination-guard.ts";
import { recordEvents } from "../../src/webhooks/event-recorder.ts";
import type { Resolver } from "../../src/webhooks/resolver.ts";
import { TlsTransport } from "../../src/webhooks/transport/tls-transport.ts";
import { type WebhookService, webhookService } from "../../src/webhooks/webhook-service.ts";
import { createAuthority, type KeyPair } from "./certificates.ts";
import { ManualClock } from "./manual-clock.ts";
import { temporaryFolder } from "./test-server.ts";

const authority = createAuthority();
/** For receivers on 127.0.0.1 and for anything under hooks.lan. */
export const receiverPair: KeyPair = authority.issue({ names: ["IP:127.0.0.1", "DNS:hooks.lan", "DNS:*.hooks.lan"] });
export const authorityCertificate = authority.cert;

export interface WebhookServerOptions {
  clock?: Clock;
  folder?: string;
  /** `host:port` of receivers on this machine. */
  trusted?: readonly string[];
  resolver?: Resolver;
  isSuspended?: (accountId: number) => boolean;
  /** Jitter; 0.5 is none. */
  fraction?: () => number;
}

export interface WebhookServer {
  store: Store;
  desk: WebhookService;
  deliverer: Deliverer;
  clock: Clock;
  outcomes: string[];
  /** A webhook of account 1 unless told otherwise. */
  webhook(
    url: string,
    events?: readonly EventKind[],
    accountId?: number,
  ): Promise<{ id: string; rowId: number; secret: string }>;
  /** A message of account 1 that goes through these states; returns its tracking code. */
  message(states: readonly MessageState[], accountId?: number): Promise<string>;
  /** The states of the deliveries of a webhook, oldest first. */
  states(rowId: number): string[];
  stop(): Promise<void>;
  /** As a crash leaves it: nothing is waited for. */
  crash(): void;
}

const nobodyResolves: Resolver = { resolve: () => Promise.resolve([]) };

async function seed(store: Store, now: number): Promise<void> {
  await store.write((tables) => {
    if (tables.accounts.all().length > 0) return;
    for (const name of ["One", "Two"]) {
      tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: now });
    }
  });
}

let codes = 0;

export async function createWebhookServer(options: WebhookServerOptions = {}): Promise<WebhookServer> {
  const clock = options.clock ?? new ManualClock();
  const folder = options.folder ?? temporaryFolder().path;
  const store = openStore({ folder, now: clock.now() });
  await seed(store, clock.now());
  const random = { ...systemRandom, fraction: options.fraction ?? (() => 0.5) };
  const trusted = parseTrustedDestinations(options.trusted ?? []);
  const resolver = options.resolver ?? nobodyResolves;
  const guard = new DestinationGuard({ resolver, policy: createAddressPolicy(), ownAddresses: () => [] });
  const transport = new TlsTransport(clock, authorityCertificate);
  const sealer = createSealer(new Uint8Array(32));
  const outcomes: string[] = [];
  const made = new Deliverer({
    store,
    clock,
    random,
    log: silentLog,
    attempts: new CallbackAttempts({ clock, guard, transport, trusted }),
    openSecret: sealer.open,
    isSuspended: options.isSuspended ?? (() => false),
    gatherMs: 0,
    observer: { attempted: (outcome) => void outcomes.push(outcome), ended: () => undefined },
  });
  recordEvents(store, { clock, random });
  const desk = webhookService({
    store,
    clock,
    random,
    guard,
    trusted,
    seal: sealer.seal,
    changed: (id) => made.changed(id),
  });
  made.start();

  return {
    store,
    desk,
    deliverer: made,
    clock,
    outcomes,
    async webhook(url, events = ["message.status"], accountId = 1) {
      const { webhook, signingSecret } = await desk.create(accountId, { url, events });
      const row = store.tables.webhooks.byPublicIdAnywhere(webhook.id);
      if (row === null) throw new Error("The webhook was not stored");
      return { id: webhook.id, rowId: row.id, secret: signingSecret };
    },
    async message(states, accountId = 1) {
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
    },
    states: (rowId) =>
      store.tables.deliveryLog
        .ofWebhook(rowId, Number.MAX_SAFE_INTEGER, 1_000)
        .map(({ state }) => state)
        .reverse(),
    async stop() {
      await made.stop(0);
      transport.close();
      store.close();
    },
    crash() {
      void made.stop(0);
      transport.close();
      store.close();
    },
  };
}

/** Waits for what real sockets bring about, without looking at the test's clock. */
export async function until(condition: () => boolean, what = "what was awaited"): Promise<void> {
  const end = performance.now() + 4_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`${what} did not happen within 4 s`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
