/**
 * Callbacks to a URL that came with a message: checked and stored with it, queued at each status change, filled at each
 * attempt.
 */
import { ApiError } from "../domain/api-error.ts";
import { type Destination, DestinationRefused, parseCallbackUrl } from "../domain/destination-url.ts";
import { dropInLimits } from "../domain/drop-in-credential.ts";
import type { MessageErrorCode, PublicStatus } from "../domain/message.ts";
import type { CredentialDirectory, CredentialOwner } from "../messaging/directory/credential-directory.ts";
import type { ApiKey } from "../messaging/directory/directory.ts";
import type { AlsoStore } from "../messaging/messages/accept.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import type { MessageCallbackRow } from "../store/message-callbacks.ts";
import type { MessageRow } from "../store/messages.ts";
import type { Store, Tables } from "../store/store.ts";
import type { OutgoingCallback } from "../webhooks/attempt.ts";
import type { ConcurrencyLimits } from "../webhooks/concurrency-limiter.ts";
import type { QueuedCallback } from "../webhooks/deliverer.ts";
import { DestinationNotAllowed } from "../webhooks/destination-guard.ts";
import { newEventId } from "../webhooks/events.ts";
import type { OwnCallbacks } from "../webhooks/webhooks.ts";
import { dropInOptions } from "./credential-options.ts";
import { type DropInRefusal, refuse, tooManyMessages } from "./refusal.ts";
import type { SubmitRequest } from "./submitter.ts";

/** How a protocol reports each step of a message. */
export interface CallbackReport {
  eventId: string;
  status: PublicStatus;
  /** When the status changed, epoch milliseconds. */
  at: number;
  errorCode: MessageErrorCode | null;
  message: MessageRow;
  mask: number;
  /** As stored with the message; includes `url`. */
  fields: CallbackFields;
}

/** Values for the placeholders of the request. */
export type CallbackFields = Readonly<Record<string, string>>;

export interface CallbackProtocol {
  /** The protocol's name in the store. */
  name: string;
  wants(message: MessageRow, status: PublicStatus, mask: number): boolean;
  request(report: CallbackReport): Omit<OutgoingCallback, "destination" | "attempt"> & { url: string };
}

export interface RequestedCallback {
  protocol: string;
  mask: number;
  url: string;
  /** One for each message, in order; without the URL. */
  fields: readonly CallbackFields[];
}

export interface MessageCallbackDeps {
  store: Store;
  clock: Clock;
  random: Random;
  sealer: Pick<Sealer, "seal" | "open">;
  credentials: Pick<CredentialDirectory, "byId">;
  directory: { key(id: number): ApiKey | null };
  protocols: readonly CallbackProtocol[];
}

/** One for each credential and origin. */
export interface CallbackQueue {
  accountId: number;
  credentialId: number;
  origin: string;
}

/** The callbacks of a request's messages. */
export interface PreparedCallbacks extends Required<Pick<SubmitRequest, "refusedNow">> {
  store: AlsoStore;
}

const originsMax = 100;
const tooManyOrigins = `The callbacks of a credential may have at most ${originsMax} origins.`;
/** Of the URL and the fields of one message, as JSON. They are sealed once per message, up to 500 times a request. */
const storedCharactersMax = 8_192;
/** Of all callbacks to URLs that came with messages, of a queue, and of a credential. An account gets half at most. */
export const messageCallbackLimits: ConcurrencyLimits = {
  attemptsMax: 32,
  attemptsOfQueueMax: 2,
  attemptsOfGroupMax: 4,
};

/** What is stored in an event: no number, no text, no URL. */
interface StoredReport {
  messageId: number;
  status: PublicStatus;
  at: number;
}

export class MessageCallbacks {
  readonly #protocols: ReadonlyMap<string, CallbackProtocol>;

  constructor(private readonly deps: MessageCallbackDeps) {
    this.#protocols = new Map(deps.protocols.map((protocol) => [protocol.name, protocol]));
  }

  /** From now on, each status that a sender asked for commits together with its event. */
  record(): void {
    const { store, clock, random } = this.deps;
    const { messageCallbacks, outbox } = store.tables;
    store.onStatus((message, status, at) => {
      const row = messageCallbacks.of(message.id);
      if (row === null || !this.#protocols.get(row.protocol)?.wants(message, status, row.mask)) return;
      if (!this.#mayRead(message)) return;
      const createdAt = clock.now();
      const report: StoredReport = { messageId: message.id, status, at };
      outbox.record(
        {
          publicId: newEventId({ random }, createdAt),
          accountId: message.accountId,
          kind: `callback.${row.protocol}`,
          subject: message.trackingCode,
          step: status,
          body: JSON.stringify(report),
          createdAt,
        },
        [row.webhookId],
      );
    });
  }

  /** Checks the URL's syntax without a DNS look-up. The result stores the callbacks with their messages. */
  prepare({ account, credential }: CredentialOwner, requested: RequestedCallback): PreparedCallbacks | DropInRefusal {
    const { sealer, store } = this.deps;
    if (requested.fields.length > dropInLimits.messagesMax) return refuse("too_many_messages", tooManyMessages);
    let destination: Destination;
    try {
      destination = parseCallbackUrl(requested.url, dropInOptions(credential).callbackOrigins);
    } catch (reason) {
      if (reason instanceof DestinationRefused)
        return refuse("callback_refused", `Of the callback's URL: ${reason.message}`);
      throw reason;
    }
    const queue = { accountId: account.id, credentialId: credential.id, origin: new URL(destination.href).origin };
    const stored: string[] = [];
    for (const fields of requested.fields) {
      const text = JSON.stringify({ ...fields, url: requested.url });
      if (text.length > storedCharactersMax)
        return refuse("callback_refused", "What the callback is to return is too long.");
      stored.push(text);
    }
    const sealed = stored.map((text) => sealer.seal(text));
    const { protocol, mask } = requested;
    return {
      refusedNow: () => (this.#hasRoom(store.tables, queue) ? null : refuse("callback_refused", tooManyOrigins)),
      store: (tables, firstMessageId) => {
        const webhookId = this.queueOf(tables, queue);
        if (webhookId === null) throw new ApiError("webhook_limit_reached", { message: tooManyOrigins });
        for (const [index, one] of sealed.entries())
          tables.messageCallbacks.insert({ messageId: firstMessageId + index, webhookId, protocol, mask, sealed: one });
      },
    };
  }

  /** Delivers them in slots of their own, of which each credential may use some. */
  own(): OwnCallbacks {
    const { webhooks } = this.deps.store.tables;
    return {
      outgoing: (queued) => this.#outgoing(queued),
      isOwn: (webhookId) => webhooks.isOfCredential(webhookId),
      ownOf: (accountId) => webhooks.queuesOfAccount(accountId),
      limits: messageCallbackLimits,
      // Each callback is given up on its own, because the next message may name the same host.
      givesUp: false,
    };
  }

  /** @throws DestinationRefused, DestinationNotAllowed */
  #outgoing({ webhook, delivery, attempt }: QueuedCallback): OutgoingCallback {
    const { store, credentials } = this.deps;
    const { messageId, status, at } = storedReport(delivery.body);
    const row = store.tables.messageCallbacks.of(messageId);
    const message = store.tables.messages.byId(messageId);
    const protocol = this.#protocols.get(row?.protocol ?? "");
    const credential = credentials.byId(webhook.credentialId ?? 0);
    if (row === null || message === null || protocol === undefined || credential === null)
      throw new DestinationNotAllowed("address_refused", "the message of the callback is gone");
    const { errorCode } = message;
    const { eventId } = delivery;
    const fields = this.#fieldsOf(row);
    const request = protocol.request({ eventId, status, at, errorCode, message, mask: row.mask, fields });
    const destination = parseCallbackUrl(request.url, dropInOptions(credential).callbackOrigins);
    // Filled-in values must not lead to another host.
    if (new URL(destination.href).origin !== webhook.url)
      throw new DestinationNotAllowed("address_refused", "what was filled into the URL leads elsewhere");
    return { ...request, destination, attempt };
  }

  #fieldsOf({ sealed }: MessageCallbackRow): CallbackFields {
    const stored: unknown = JSON.parse(this.deps.sealer.open(sealed));
    if (typeof stored !== "object" || stored === null) throw new Error("A callback's fields are no object");
    return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]));
  }

  /** The message's key. Revoking it does not stop reports about what it sent. */
  #mayRead({ apiKeyId }: MessageRow): boolean {
    return apiKeyId !== null && this.deps.directory.key(apiKeyId)?.permissions.has("messages:read") === true;
  }

  #hasRoom({ webhooks }: Tables, { credentialId, origin }: CallbackQueue): boolean {
    return webhooks.queueOf(credentialId, origin) !== null || webhooks.countQueues(credentialId) < originsMax;
  }

  /** Null if the credential already has too many. */
  queueOf(tables: Tables, queue: CallbackQueue): number | null {
    const { accountId, credentialId, origin } = queue;
    const known = tables.webhooks.queueOf(credentialId, origin);
    if (known !== null) return known.id;
    if (!this.#hasRoom(tables, queue)) return null;
    const { clock, random, sealer } = this.deps;
    const now = clock.now();
    const row = {
      publicId: random.uuid(),
      accountId,
      url: origin,
      events: [],
      active: true,
      createdAt: now,
      updatedAt: now,
    };
    return tables.webhooks.insertQueue({ ...row, sealedSecret: sealer.seal("") }, credentialId).id;
  }
}

function storedReport(body: string): StoredReport {
  return JSON.parse(body);
}
