/**
 * Forwards texts from phones and message statuses to a credential's program, by its template and through the outbox.
 */
import { parseCallbackUrl } from "../domain/destination-url.ts";
import type { PublicStatus } from "../domain/message.ts";
import type { Permission } from "../domain/permissions.ts";
import { signatureHeaders } from "../domain/signature.ts";
import type {
  CredentialDirectory,
  CredentialOwner,
  CustomerCredential,
} from "../messaging/directory/credential-directory.ts";
import type { Clock } from "../platform/clock.ts";
import { isoTime } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import type { Sealer } from "../platform/seal.ts";
import { type ForwardFile, type ForwardRule, parseForwardFile } from "../providers/http/forward-file.ts";
import { fillRequest, type RequestValues } from "../providers/http/template.ts";
import type { Store, Tables } from "../store/store.ts";
import type { OutgoingCallback } from "../webhooks/attempt.ts";
import type { QueuedCallback } from "../webhooks/deliverer.ts";
import { DestinationNotAllowed } from "../webhooks/destination-guard.ts";
import { newEventId } from "../webhooks/events.ts";
import { dropInOptions } from "./credential-options.ts";
import type { CallbackQueue } from "./message-callbacks.ts";

export interface ForwardDeps {
  store: Store;
  clock: Clock;
  random: Random;
  sealer: Pick<Sealer, "open">;
  credentials: Pick<CredentialDirectory, "all" | "byId" | "owner" | "subscribe">;
  /** The queue for a credential and an origin; null if the credential already has too many. */
  queueOf(tables: Tables, queue: CallbackQueue): number | null;
}

/** What is stored in an event: no number, no text, no URL. */
type StoredForward =
  | { forward: "inbound"; code: string }
  | { forward: "status"; code: string; status: PublicStatus; at: number };

const kind = "callback.forward";

export class Forwards {
  /** Cached by identity: a changed credential is a new object. */
  readonly #files = new WeakMap<CustomerCredential, ForwardFile | null>();
  /** Credentials that forward statuses, by their key. */
  #ofKey = new Map<number, CustomerCredential[]>();

  constructor(private readonly deps: ForwardDeps) {}

  /** From now on, an event is stored in the same transaction as whatever it forwards. */
  record(): void {
    const { store, credentials } = this.deps;
    const note = () => {
      const forwarding = credentials.all().filter((one) => this.#file(one)?.status != null);
      this.#ofKey = Map.groupBy(forwarding, ({ apiKeyId }) => apiKeyId);
    };
    note();
    credentials.subscribe(note);
    const { lines } = store.tables;
    store.onInbound((text) => {
      const credentialId = lines.byNumber(text.receiver)?.credentialId ?? null;
      if (credentialId !== null) this.forward(credentialId, text, "received");
    });
    store.onStatus((message, status, at) => {
      if (this.#ofKey.size === 0 || message.apiKeyId === null) return;
      const owners = (this.#ofKey.get(message.apiKeyId) ?? []).flatMap(({ id }) => credentials.owner(id) ?? []);
      const rules = owners.flatMap((owner): [CredentialOwner, ForwardRule][] => {
        const rule = this.#file(owner.credential)?.status ?? null;
        return rule === null ? [] : [[owner, rule]];
      });
      if (rules.length === 0) return;
      this.#store(rules, "messages:read", { forward: "status", code: message.trackingCode, status, at }, status);
    });
  }

  /** Call inside the transaction of a text. `step`: why; each is done once. */
  forward(credentialId: number, { trackingCode }: { trackingCode: string }, step: string): void {
    const owner = this.deps.credentials.owner(credentialId);
    const rule = owner === null ? null : (this.#file(owner.credential)?.inbound ?? null);
    if (owner === null || rule === null) return;
    this.#store([[owner, rule]], "inbound:read", { forward: "inbound", code: trackingCode }, step);
  }

  isForward({ delivery }: QueuedCallback): boolean {
    return storedForward(delivery.body) !== null;
  }

  /** @throws DestinationRefused, DestinationNotAllowed */
  outgoing({ webhook, delivery, attempt }: QueuedCallback): OutgoingCallback {
    const stored = storedForward(delivery.body);
    const credential = this.deps.credentials.byId(webhook.credentialId ?? 0);
    const file = credential === null ? null : this.#file(credential);
    const rule = file?.[stored?.forward ?? "inbound"] ?? null;
    const values = stored === null ? null : this.#values(stored);
    if (credential === null || rule === null || values === null)
      throw new DestinationNotAllowed("address_refused", "what was to be forwarded, or where to, is gone");
    const { method, url, headers, body: filledBody } = fillRequest(rule.request, values);
    const body = filledBody ?? "";
    const secret = file?.signingSecret ?? null;
    const destination = parseCallbackUrl(url, dropInOptions(credential).callbackOrigins);
    // Neither filled-in values nor a template changed meanwhile may lead to another host.
    if (new URL(destination.href).origin !== webhook.url)
      throw new DestinationNotAllowed("address_refused", "what was filled into the URL leads elsewhere");
    const { acknowledged } = rule;
    return {
      destination,
      method: method === "GET" ? "GET" : "POST",
      headers: (now) => ({
        "User-Agent": "Peyk",
        ...headers,
        ...(secret !== null && signatureHeaders(secret, now, body)),
      }),
      body,
      attempt,
      ...(acknowledged !== null && {
        isAcknowledged: (answered: Uint8Array) => Buffer.from(answered).toString("utf8").trim() === acknowledged,
      }),
    };
  }

  #file(credential: CustomerCredential): ForwardFile | null {
    const known = this.#files.get(credential);
    if (known !== undefined) return known;
    const { sealedForward } = credential;
    const parsed = sealedForward === null ? null : parseForwardFile(JSON.parse(this.deps.sealer.open(sealedForward)));
    const file = parsed !== null && "options" in parsed ? parsed.options : null;
    this.#files.set(credential, file);
    return file;
  }

  #store(
    rules: readonly (readonly [CredentialOwner, ForwardRule])[],
    permission: Permission,
    stored: StoredForward,
    step: string,
  ): void {
    const { store, clock, random, queueOf } = this.deps;
    const createdAt = clock.now();
    const allowed = rules.filter(([{ key }]) => key.permissions.has(permission));
    const queues = allowed.flatMap(([{ account, credential }, { request }]) => {
      const origin = originOf(request.url);
      return queueOf(store.tables, { accountId: account.id, credentialId: credential.id, origin }) ?? [];
    });
    const [first] = allowed;
    if (first === undefined || queues.length === 0) return;
    const event = {
      publicId: newEventId({ random }, createdAt),
      accountId: first[0].account.id,
      kind,
      subject: stored.code,
      step,
      body: JSON.stringify(stored),
      createdAt,
    };
    store.tables.outbox.record(event, queues);
  }

  /** Null if the text or the message is gone. */
  #values(stored: StoredForward): RequestValues | null {
    const { tables } = this.deps.store;
    if (stored.forward === "inbound") {
      const row = tables.inbound.byCode(stored.code);
      return row === null ? null : textValues(row);
    }
    const message = tables.messages.byCodeAnywhere(stored.code);
    if (message === null) return null;
    const { sender, recipient, clientReference, errorCode } = message;
    return {
      id: stored.code,
      clientReference: clientReference ?? "",
      status: stored.status,
      error: stored.status === "failed" ? (errorCode ?? "") : "",
      sender,
      recipient,
      recipientDigits: recipient.replace(/^\+/, ""),
      changedAt: isoTime(stored.at),
      unixTime: Math.floor(stored.at / 1_000),
    };
  }
}

/** The host in a template has no placeholder. */
const originOf = (url: string): string => new URL(url.replace(/\{\{[^{}]*\}\}/g, "x")).origin;

function storedForward(body: string): StoredForward | null {
  const stored: StoredForward | { forward?: never } = JSON.parse(body);
  return stored.forward === undefined ? null : stored;
}

function textValues(row: {
  trackingCode: string;
  sender: string;
  receiver: string;
  text: string;
  receivedAt: number;
}): RequestValues {
  const { trackingCode, sender, receiver, text, receivedAt } = row;
  const at = isoTime(receivedAt);
  const trimmed = text.trim();
  const space = trimmed.search(/\s/);
  return {
    id: trackingCode,
    sender,
    senderDigits: sender.replace(/^\+/, ""),
    receiver,
    receiverDigits: receiver.replace(/^\+/, ""),
    text,
    textHex: Buffer.from(text, "utf16le").swap16().toString("hex"),
    firstWord: space === -1 ? trimmed : trimmed.slice(0, space),
    rest: space === -1 ? "" : trimmed.slice(space).trim(),
    receivedAt: at,
    kannelTime: `${at.slice(0, 10)} ${at.slice(11, 19)}`,
    unixTime: Math.floor(receivedAt / 1_000),
  };
}
