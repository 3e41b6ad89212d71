/** What customers can do with webhooks: register, list, change, remove and test them. */
import { ApiError } from "../domain/api-error.ts";
import {
  type Destination,
  type DestinationRefusal,
  DestinationRefused,
  parseDestination,
  type TrustedDestinations,
} from "../domain/destination-url.ts";
import { type EventKind, testEnvelope, testEventKind } from "../domain/event.ts";
import { newSigningSecret, signingSecretBytes } from "../domain/signature.ts";
import { type Clock, within } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Store, Tables } from "../store/store.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { type DestinationGuard, DestinationNotAllowed } from "./destination-guard.ts";
import { newEventId } from "./events.ts";

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
  /** Called after a change is on disk. */
  changed(webhookId: number): void;
}

export type NewWebhookInput = Pick<Webhook, "url" | "events">;
export type WebhookChangeInput = Partial<Pick<Webhook, "events" | "isActive">>;

/** Contract, "Subscription URL rules". */
const webhooksMax = 5;
/**
 * Removed ones whose deliveries are still kept: whoever registers and removes webhooks without end would make each
 * event of the account look through all of them.
 */
export const removedMax = 1_000;
const tooManyRemoved = `The account has removed ${removedMax} webhooks whose deliveries are still kept.`;
/** The longest that a registration waits for a name server. */
const resolveMsMax = 5_000;

/** The same for all reasons: a customer must not learn which names the operator's network knows. */
const refusalText = "The host name must resolve to public addresses, and to no others.";

/** A URL that no webhook may have. */
export class WebhookUrlRefused extends ApiError {
  constructor(
    readonly reason: DestinationRefusal,
    message: string,
  ) {
    const code = reason === "too_long" ? "too_long" : "invalid_format";
    super("validation_failed", { problems: [{ field: "url", code, message }] });
  }
}

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
    throw new WebhookUrlRefused(error.reason, error.message);
  }
}

const find = (tables: Tables, accountId: number, id: string): WebhookRow | ApiError =>
  tables.webhooks.byPublicId(accountId, id) ?? new ApiError("webhook_not_found");

/** Every operation throws ApiError, and StoreUnavailable when the disk refuses. An unknown id is `webhook_not_found`. */
export class WebhookService {
  constructor(private readonly deps: WebhookServiceDeps) {}

  /** @throws ApiError `validation_failed` for the URL, `webhook_limit_reached` for a sixth. */
  async create(accountId: number, { url, events }: NewWebhookInput) {
    const { random, clock, trusted, seal } = this.deps;
    const destination = destinationOf(url, trusted);
    await this.#assertAllowed(destination);
    const signingSecret = newSigningSecret(random.bytes(signingSecretBytes));
    const sealedSecret = seal(signingSecret);
    const now = clock.now();
    const row = await this.#write(accountId, (tables) => {
      if (tables.webhooks.ofAccount(accountId).length >= webhooksMax) return new ApiError("webhook_limit_reached");
      if (tables.webhooks.countRemoved(accountId) >= removedMax)
        return new ApiError("webhook_limit_reached", { message: tooManyRemoved });
      return tables.webhooks.insert({
        publicId: random.uuid(),
        accountId,
        url: destination.href,
        events: [...new Set(events)],
        active: true,
        sealedSecret,
        createdAt: now,
        updatedAt: now,
      });
    });
    return { webhook: webhookOf(row), signingSecret };
  }

  list(accountId: number): Webhook[] {
    return this.deps.store.tables.webhooks.ofAccount(accountId).map(webhookOf);
  }

  /** Omitted fields stay as they are. */
  async change(accountId: number, id: string, { events, isActive }: WebhookChangeInput): Promise<Webhook> {
    const now = this.deps.clock.now();
    const row = await this.#write(accountId, (tables) => {
      const before = find(tables, accountId, id);
      if (before instanceof ApiError || (events === undefined && isActive === undefined)) return before;
      const change = { events: [...new Set(events ?? before.events)], active: isActive ?? before.active, at: now };
      tables.webhooks.change(before, change);
      return find(tables, accountId, id);
    });
    this.deps.changed(row.id);
    return webhookOf(row);
  }

  async remove(accountId: number, id: string): Promise<void> {
    const row = await this.#write(accountId, (tables) => {
      const before = find(tables, accountId, id);
      if (!(before instanceof ApiError)) tables.webhooks.remove(before, this.deps.clock.now());
      return before;
    });
    this.deps.changed(row.id);
  }

  /** Records a test event for this webhook only and returns the event's id. @throws ApiError `webhook_inactive`. */
  test(accountId: number, id: string): Promise<string> {
    const createdAt = this.deps.clock.now();
    const publicId = newEventId(this.deps, createdAt);
    return this.#refusable((tables) => {
      const webhook = find(tables, accountId, id);
      if (webhook instanceof ApiError) return webhook;
      if (!webhook.active) return new ApiError("webhook_inactive");
      const body = testEnvelope(publicId, createdAt, webhook.publicId);
      const event = { publicId, accountId, kind: testEventKind, subject: null, step: "", body, createdAt };
      tables.outbox.record(event, [webhook.id]);
      return publicId;
    });
  }

  async #assertAllowed(destination: Destination): Promise<void> {
    const { clock, guard } = this.deps;
    const late = () => new DestinationNotAllowed("resolver_failed", "no answer in time");
    try {
      await within(clock, resolveMsMax, guard.addressesOf(destination), late);
    } catch (error) {
      if (error instanceof DestinationNotAllowed) throw new WebhookUrlRefused("not_public", refusalText);
      throw error;
    }
  }

  /** The account's cached webhooks are outdated as soon as the change is made, and again if it is rolled back. */
  async #write<T>(accountId: number, change: (tables: Tables) => T | ApiError): Promise<T> {
    try {
      return await this.#refusable((tables) => {
        tables.webhooks.forget(accountId);
        return change(tables);
      });
    } finally {
      this.deps.store.tables.webhooks.forget(accountId);
    }
  }

  /** `change` returns its refusals: thrown inside the write, each would make the rest of its group run again. */
  async #refusable<T>(change: (tables: Tables) => T | ApiError): Promise<T> {
    const outcome = await this.deps.store.write(change);
    if (outcome instanceof ApiError) throw outcome;
    return outcome;
  }
}
