/** Acceptance: drafts become rows on disk, once per Idempotency-Key, and only then are they reported as accepted. */
import { ApiError } from "../../domain/api-error.ts";
import type { MessageClass } from "../../domain/message.ts";
import { measureText, withoutTabs } from "../../domain/text.ts";
import { dueAtOf, type MessageRow, type NewMessage } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, TrafficRules } from "../rules/traffic-rules.ts";

/** Used in place of a key id when the operator or a console user sends. */
export const noApiKey = 0;

/** The account's key that sends the request (`noApiKey` for a person), and when. */
export type Caller = Payer;

/** A request with an Idempotency-Key. `operation` is its method and path, such as `POST /v1/messages`. */
export interface IdempotentRequest {
  key: string;
  operation: string;
  /** Over the canonical body, to detect a repeat with a different payload. */
  payloadHash: Uint8Array;
  /** The hash as an earlier release stored it; only computed if the other differs. */
  formerHash?(): Uint8Array;
}

/** A request whose protocol recognises repeats by something other than an Idempotency-Key. */
export interface RepeatFinder {
  /**
   * Called in the transaction that would store the request: the earlier acceptance, or null. May refuse by throwing.
   */
  replayed(tables: Tables): Acceptance | null;
}

/** How a repeat of the request is recognised; null if every request is new. */
export type RequestIdentity = IdempotentRequest | RepeatFinder | null;

/** A message that has passed validation. */
export interface Draft {
  sender: string;
  /** E.164. */
  recipient: string;
  text: string;
  clientReference: string | null;
  class: MessageClass;
  /** 0 unless given. */
  priority?: number;
  /** Epoch milliseconds, or null to send at once. */
  sendAt: number | null;
  /** Shortens the validity in the settings, as for a one-time password that is useless later. */
  validityMs?: number;
  /** Stored instead of the text, which must not be kept in plain. */
  storedText?: string;
}

type AddressedDraft = Pick<Draft, "sender" | "recipient" | "class">;

/** Contract, "Send result", with times in epoch milliseconds. */
export interface SendResult {
  trackingCode: string;
  status: "queued";
  encoding: MessageRow["encoding"];
  characterCount: number;
  partCount: number;
  submittedAt: number;
  sendAt: number | null;
  duplicate: boolean;
}

export interface Acceptance {
  /** In the order of the drafts. */
  results: SendResult[];
  /** The request was already registered; nothing new was created. */
  duplicate: boolean;
  /** It was already registered with a different payload. */
  payloadMismatch: boolean;
  /** The name of the campaign it joined, if any. Reads the database: only requests that may have one ask. */
  campaign?: () => string | null;
}

/** What a key stands for: `messageCount` consecutive messages starting at `firstMessageId`. */
export interface RegisteredRequest {
  firstMessageId: number;
  messageCount: number;
  payloadMismatch: boolean;
}

/**
 * Stores what else belongs to an acceptance: runs in its transaction, after its messages, and may refuse all of them by
 * throwing.
 */
export type AlsoStore = (tables: Tables, firstMessageId: number) => void;

/** What the queue needs to know about a newly committed message. */
export interface QueuedMessage {
  id: number;
  dueAt: number;
  senderId: number;
  class: MessageClass;
  targetId: number;
  priority: number;
  /** By the clock at that time: see LaneScheduler. */
  submittedAt: number;
}

export interface AcceptOptions {
  store: Store;
  trackingCodes: { next(): string };
  directory: {
    sender(accountId: number, sender: string): { id: number; active: boolean } | null;
    isRevoked(apiKeyId: number): boolean;
  };
  rules: TrafficRules;
  /** Asks which network a number belongs to; omitted, nobody is asked. */
  lookups?: {
    asksFor(apiKeyId: number): boolean;
    isKnown(e164: string): boolean;
    ask(caller: Caller, numbers: ReadonlySet<string>): Promise<void>;
  };
  validityMs: number;
  mismatch: "replay" | "reject";
  /** Called with every message after its commit. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** Called when a key is repeated with a different payload. */
  mismatched(caller: Caller, request: IdempotentRequest): void;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The Send result as registered: `queued`, whatever has become of the message since. */
export function sendResult(message: Omit<SendResult, "status" | "duplicate">, duplicate: boolean): SendResult {
  const { trackingCode, encoding, characterCount, partCount, submittedAt, sendAt } = message;
  return { trackingCode, status: "queued", encoding, characterCount, partCount, submittedAt, sendAt, duplicate };
}

export class Acceptor {
  /** For callers that store the rows of `rowOf` themselves: they must also reserve. */
  readonly rules: TrafficRules;
  readonly #options: AcceptOptions;

  constructor(options: AcceptOptions) {
    this.rules = options.rules;
    this.#options = options;
  }

  /**
   * The result under this key, if any. Throws `idempotency_key_conflict` if it stands for something else,
   * `api_key_invalid`.
   */
  replay(caller: Caller, request: RequestIdentity): Acceptance | null {
    return this.#replayIn(this.#options.store.tables, caller, request);
  }

  /** What the key stands for, without its messages, for requests too large for memory. Throws as `replay` does. */
  registered(tables: Tables, caller: Caller, request: IdempotentRequest): RegisteredRequest | null {
    // Revoked after the request was authenticated: revoking a key and cancelling its waiting messages must not miss
    // any.
    if (this.#options.directory.isRevoked(caller.apiKeyId)) throw new ApiError("api_key_invalid");
    const known = tables.idempotency.find(caller.apiKeyId, request.key);
    if (known === null) return null;
    if (known.operation !== request.operation) throw new ApiError("idempotency_key_conflict");
    const isStored = (hash: Uint8Array | undefined) => hash !== undefined && sameBytes(known.payloadHash, hash);
    const payloadMismatch = !isStored(request.payloadHash) && !isStored(request.formerHash?.());
    if (payloadMismatch) this.#options.mismatched(caller, request);
    if (payloadMismatch && this.#options.mismatch === "reject") {
      throw new ApiError("idempotency_key_conflict", {
        message: "The Idempotency-Key already stands for a request with another payload.",
      });
    }
    const { firstMessageId, messageCount } = known;
    return { firstMessageId, messageCount, payloadMismatch };
  }

  /** Whether `lookUp` may have to ask. */
  looksUp({ apiKeyId }: Pick<Caller, "apiKeyId">): boolean {
    return this.#options.lookups?.asksFor(apiKeyId) === true;
  }

  /** The numbers whose networks a rule needs and nothing but their ranges tells yet. */
  unknownNumbers(caller: Pick<Caller, "accountId" | "apiKeyId">, drafts: readonly AddressedDraft[]): Set<string> {
    const { directory, lookups } = this.#options;
    const { accountId } = caller;
    const numbers = new Set<string>();
    for (const { sender, recipient, class: messageClass } of this.looksUp(caller) ? drafts : []) {
      const senderId = directory.sender(accountId, sender)?.id ?? 0;
      const isNeeded = this.rules.needNetwork({ accountId, senderId, class: messageClass, recipient });
      if (isNeeded && lookups?.isKnown(recipient) === false) numbers.add(recipient);
    }
    return numbers;
  }

  /** Asks for the networks that the drafts need; null if there are none. Rejects with ApiError. */
  lookUp(caller: Caller, drafts: readonly AddressedDraft[]): Promise<void> | null {
    if (!this.looksUp(caller)) return null;
    const numbers = this.unknownNumbers(caller, drafts);
    return numbers.size === 0 ? null : (this.#options.lookups?.ask(caller, numbers) ?? null);
  }

  /**
   * The row of a draft as it would be accepted at the time of the request. With `remarks` it is only a query: see
   * TrafficRule. Throws `sender_not_permitted`.
   */
  rowOf(caller: Caller, draft: Draft, remarks?: Remark[]): NewMessage {
    const { directory, trackingCodes, validityMs } = this.#options;
    const sender = directory.sender(caller.accountId, draft.sender);
    if (sender === null || !sender.active) throw new ApiError("sender_not_permitted", { sender: draft.sender });
    const text = withoutTabs(draft.text);
    const measure = measureText(text);
    const { accountId, apiKeyId, at } = caller;
    const { class: messageClass, recipient, sendAt } = draft;
    const asked = {
      accountId,
      apiKeyId,
      senderId: sender.id,
      class: messageClass,
      recipient,
      partCount: measure.partCount,
      submittedAt: at,
      sendAt,
    };
    const { targetId, network, networkSource, price, isTest, dueAt } = this.rules.decide(asked, remarks);
    return {
      trackingCode: trackingCodes.next(),
      accountId,
      senderId: sender.id,
      class: messageClass,
      sender: draft.sender,
      recipient,
      text: draft.storedText ?? text,
      clientReference: draft.clientReference === null ? null : withoutTabs(draft.clientReference),
      encoding: measure.encoding,
      characterCount: measure.characterCount,
      partCount: measure.partCount,
      submittedAt: at,
      sendAt,
      dueAt,
      validUntil: (dueAt ?? sendAt ?? at) + Math.min(draft.validityMs ?? validityMs, validityMs),
      apiKeyId,
      targetId,
      priority: draft.priority ?? 0,
      network,
      networkSource,
      price,
      isTest: isTest ? 1 : 0,
    };
  }

  /**
   * Stores all drafts or none, together with the key if there is one. Of concurrent requests with one key, one creates
   * the messages and the others get its result. Throws `sender_not_permitted`, `idempotency_key_conflict`,
   * `api_key_invalid`, and the refusals of reservations; rejects with StoreUnavailable when the disk refuses.
   */
  accept(
    caller: Caller,
    request: RequestIdentity,
    drafts: readonly Draft[],
    alsoStore?: AlsoStore,
  ): Promise<Acceptance> {
    const asked = this.lookUp(caller, drafts);
    if (asked !== null) return asked.then(() => this.#store(caller, request, drafts, alsoStore));
    return this.#store(caller, request, drafts, alsoStore);
  }

  #store(
    caller: Caller,
    request: RequestIdentity,
    drafts: readonly Draft[],
    alsoStore: AlsoStore | undefined,
  ): Promise<Acceptance> {
    const { store, accepted } = this.#options;
    const rows = drafts.map((draft) => this.rowOf(caller, draft));
    const demand = this.rules.demandOf(rows);
    this.#check(caller, request, demand);
    return store.append(
      (tables): Acceptance | { firstId: number } | ApiError => {
        const known = this.#replayOrRefusal(tables, caller, request);
        if (known !== null) return known;
        this.rules.reserve(tables, caller, demand);
        for (const row of rows) tables.targetShares.take(row);
        const firstId = appendRun(tables, rows);
        if (request !== null && "key" in request) {
          const { key, operation, payloadHash } = request;
          const row = { operation, payloadHash, firstMessageId: firstId, messageCount: rows.length };
          tables.idempotency.append(caller.apiKeyId, key, row, caller.at);
        }
        alsoStore?.(tables, firstId);
        return { firstId };
      },
      (outcome) => {
        if (outcome instanceof ApiError) throw outcome;
        if ("results" in outcome) return outcome;
        accepted(rows.map((row, index) => queuedOf(row, outcome.firstId + index)));
        return { results: rows.map((row) => sendResult(row, false)), duplicate: false, payloadMismatch: false };
      },
    );
  }

  /**
   * A repeat is never refused for lack of room. The transaction finds its first result again: in a cluster that is
   * answered only once it is kept elsewhere. Throws ApiError.
   */
  #check(caller: Caller, request: RequestIdentity, demand: Demand): void {
    try {
      this.rules.check(caller, demand);
    } catch (reason) {
      if (this.#replayIn(this.#options.store.tables, caller, request) === null) throw reason;
    }
  }

  /** Nothing is written yet: a refusal that is returned, not thrown, lets the rest of its group commit as it is. */
  #replayOrRefusal(tables: Tables, caller: Caller, request: RequestIdentity): Acceptance | ApiError | null {
    try {
      return this.#replayIn(tables, caller, request);
    } catch (reason) {
      if (reason instanceof ApiError) return reason;
      throw reason;
    }
  }

  #replayIn(tables: Tables, caller: Caller, request: RequestIdentity): Acceptance | null {
    if (request === null || "replayed" in request) {
      if (this.#options.directory.isRevoked(caller.apiKeyId)) throw new ApiError("api_key_invalid");
      return request?.replayed(tables) ?? null;
    }
    const known = this.registered(tables, caller, request);
    if (known === null) return null;
    const messages = tables.messages.run(known.firstMessageId, known.messageCount);
    const results = messages.map((message) => sendResult(message, true));
    const campaign = () => tables.campaigns.nameOfRun(known.firstMessageId);
    return { results, duplicate: true, payloadMismatch: known.payloadMismatch, campaign };
  }
}

/** A message in the form the queue needs. */
export function queuedOf(row: NewMessage, id: number): QueuedMessage {
  const { senderId, targetId = 0, priority = 0, submittedAt } = row;
  return { id, dueAt: dueAtOf(row), senderId, class: row.class, targetId, priority, submittedAt };
}

/** Appends the rows consecutively, so that their ids are consecutive, and returns the first id. */
function appendRun(tables: Tables, rows: readonly NewMessage[]): number {
  let firstId = 0;
  for (const [index, row] of rows.entries()) {
    const id = tables.messages.append(row);
    if (index === 0) firstId = id;
    else if (id !== firstId + index)
      throw new Error(`Message ids of one request must follow each other: ${firstId}, ${id}`);
  }
  return firstId;
}
