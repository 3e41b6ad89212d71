/** What a customer does with webhooks: register, list, change, remove and test them. */

import { ApiError, invalid } from "../domain/api-error.ts";
import {
  type Destination,
  DestinationRefused,
  parseDestination,
  type TrustedDestinations,
} from "../domain/destination-url.ts";
import { type EventKind, testEnvelope, testEventKind } from "../domain/event.ts";
import { newSigningSecret } from "../domain/signature.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Store, Tables } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { type DestinationGuard, DestinationNotAllowed, type DestinationRefusalReason } from "./destination-guard.ts";
import { newEventId } from "./event-recorder.ts";

/** Contract, "Webhook subscription", with times in epoch milliseconds and without the secret. */
export interface Webhook {
  /** A UUID. */
  id: string;
  url: string;
  events: readonly EventKind[];
  isActive: boolean;
  createdAt: number;
  updatedAt: number;
}

export interface WebhookServiceDeps {
  store: Store;
  clock: Clock;
  random: Random;
  guard: DestinationGuard;
  trusted: TrustedDestinations;
  seal(plain: string): Uint8Array;
  /** Told after a change is on disk. */
  changed(webhookId: number): void;
}

/** Contract, "Subscription URL rules". */
export const webhooksMax = 5;
/** A name server that has not answered by then has not answered: nobody waits longer at a registration. */
const resolveMsMax = 5_000;
const secretBytes = 32;

const guardTexts: Record<DestinationRefusalReason, string> = {
  name_not_found: "The host name does not resolve.",
  resolver_failed: "The host name could not be resolved.",
  address_refused: "The host must resolve to public addresses only.",
};

const badUrl = (message: string) => invalid([{ field: "url", code: "invalid_format", message }]);

const webhookOf = ({ publicId, url, events, active, createdAt, updatedAt }: WebhookRow): Webhook => ({
  id: publicId,
  url,
  events,
  isActive: active,
  createdAt,
  updatedAt,
});

function destinationOf(url: string, trusted: TrustedDestinations): Destination {
  try {
    return parseDestination(url, trusted);
  } catch (error) {
    if (!(error instanceof DestinationRefused)) throw error;
    if (error.reason === "too_long") throw invalid([{ field: "url", code: "too_long", message: error.message }]);
    throw badUrl(error.message);
  }
}

export type WebhookService = ReturnType<typeof webhookService>;

/** Every operation throws Refusal, and StoreUnavailable when the disk refuses. An unknown id is `webhook_not_found`. */
export function webhookService(parts: WebhookServiceDeps) {
  const { store, clock, random, guard, trusted } = parts;

  async function assertReachable(destination: Destination): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = clock.after(resolveMsMax, () =>
      late.reject(new DestinationNotAllowed("resolver_failed", "no answer in time")),
    );
    try {
      await Promise.race([guard.addressesOf(destination), late.promise]);
    } catch (error) {
      if (error instanceof DestinationNotAllowed) throw badUrl(guardTexts[error.reason]);
      throw error;
    } finally {
      timer.cancel();
    }
  }

  function found(tables: Tables, accountId: number, id: string): WebhookRow {
    const row = tables.webhooks.byPublicId(accountId, id);
    if (row === null) throw new ApiError("webhook_not_found");
    return row;
  }

  /** What is remembered of the account's webhooks is wrong as soon as the write begins, and again however it ends. */
  async function write<T>(accountId: number, change: (tables: Tables) => T): Promise<T> {
    try {
      return await store.write((tables) => {
        tables.webhooks.forget(accountId);
        return change(tables);
      });
    } finally {
      store.tables.webhooks.forget(accountId);
    }
  }

  return {
    /** @throws Refusal `validation_failed` for the URL, `webhook_limit_reached` for a sixth. */
    async create(accountId: number, wish: { url: string; events: readonly EventKind[] }) {
      const destination = destinationOf(wish.url, trusted);
      await assertReachable(destination);
      const signingSecret = newSigningSecret(random.bytes(secretBytes));
      const sealedSecret = parts.seal(signingSecret);
      const now = clock.now();
      const row = await write(accountId, (tables) => {
        if (tables.webhooks.ofAccount(accountId).length >= webhooksMax) throw new ApiError("webhook_limit_reached");
        return tables.webhooks.insert({
          publicId: random.uuid(),
          accountId,
          url: destination.href,
          events: [...new Set(wish.events)],
          active: true,
          sealedSecret,
          createdAt: now,
          updatedAt: now,
        });
      });
      return { webhook: webhookOf(row), signingSecret };
    },

    list: (accountId: number): Webhook[] => store.tables.webhooks.ofAccount(accountId).map(webhookOf),

    /** What is left out stays as it is; a change of nothing changes nothing. */
    async change(
      accountId: number,
      id: string,
      to: { events?: readonly EventKind[]; isActive?: boolean },
    ): Promise<Webhook> {
      const now = clock.now();
      const row = await write(accountId, (tables) => {
        const before = found(tables, accountId, id);
        if (to.events === undefined && to.isActive === undefined) return before;
        const events = to.events === undefined ? before.events : [...new Set(to.events)];
        tables.webhooks.change(before, { events, active: to.isActive ?? before.active, at: now });
        return found(tables, accountId, id);
      });
      parts.changed(row.id);
      return webhookOf(row);
    },

    async remove(accountId: number, id: string): Promise<void> {
      const row = await write(accountId, (tables) => {
        const before = found(tables, accountId, id);
        tables.webhooks.remove(before, clock.now());
        return before;
      });
      parts.changed(row.id);
    },

    /** Puts a test event into the callback queue and returns its id. @throws Refusal `webhook_inactive`. */
    test: (accountId: number, id: string): Promise<string> => {
      const createdAt = clock.now();
      const publicId = newEventId(parts, createdAt);
      return store.write((tables) => {
        const webhook = found(tables, accountId, id);
        if (!webhook.active) throw new ApiError("webhook_inactive");
        const body = testEnvelope(publicId, createdAt, webhook.publicId);
        tables.outbox.record({ publicId, accountId, kind: testEventKind, subject: null, step: "", body, createdAt }, [
          webhook.id,
        ]);
        return publicId;
      });
    },
  };
}
