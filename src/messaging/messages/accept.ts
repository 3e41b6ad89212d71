/** Acceptance: drafts become rows on disk, once for each Idempotency-Key, and are answered as accepted only then. */
import { ApiError } from "../../domain/api-error.ts";
import type { MessageClass } from "../../domain/message.ts";
import { measureText, withoutTabs } from "../../domain/text.ts";
import { dueAtOf, type MessageRow, type NewMessage } from "../../store/messages.ts";
import type { Store, Tables } from "../../store/store.ts";
import type { Demand, Payer, Remark, TrafficRules } from "../rules/traffic-rules.ts";

/** In the place of a key's id, where the operator or a user of the console sends. */
export const noApiKey = 0;

/** The key of an account that sends the request (`noApiKey` for a person), and when. */
export type Caller = Payer;

/** A request with an Idempotency-Key. `operation` is its method and path, such as `POST /v1/messages`. */
export interface IdempotentRequest {
  key: string;
  operation: string;
  /** Over the canonical body: a repeat with another payload is told apart. */
  payloadHash: Uint8Array;
  /** The same as an earlier release stored it; asked for only where the other differs. */
  formerHash?(): Uint8Array;
}

/** A request whose repeats its protocol knows by something else than an Idempotency-Key. */
export interface RepeatFinder {
  /** Asked in the transaction that would store the request: what it was accepted as before, or null. May refuse by throwing. */
  replayed(tables: Tables): Acceptance | null;
}

/** How a repeat of the request is known; null where each request is a new one. */
export type RequestIdentity = IdempotentRequest | RepeatFinder | null;

/** A message that has passed validation. */
export interface Draft {
  sender: string;
  /** E.164. */
  recipient: string;
  text: string;
  clientReference: string | null;
  class: MessageClass;
  /** Epoch milliseconds, or null for at once. */
  sendAt: number | null;
  /** Overrides the validity of the settings, as for a one-time password that is of no use later. */
  validityMs?: number;
  /** Stands in the store in the text's place, where the text itself must not stand in plain. */
  storedText?: string;
}

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
  /** The request was registered before; nothing new was created. */
  duplicate: boolean;
  /** It was registered before with another payload. */
  payloadMismatch: boolean;
}

/** What a key stands for: `messageCount` messages in a row from `firstMessageId` on. */
export interface RegisteredRequest {
  firstMessageId: number;
  messageCount: number;
  payloadMismatch: boolean;
}

/** Stores what else belongs to an acceptance: runs in its transaction, after its messages, and may refuse all by throwing. */
export type AlsoStore = (tables: Tables, firstMessageId: number) => void;

/** What the queue needs to know of a message that was just committed. */
export interface QueuedMessage {
  id: number;
  dueAt: number;
  senderId: number;
  class: MessageClass;
  targetId: number;
  /** By the clock of then: see LaneScheduler. */
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
  validityMs: number;
  mismatch: "replay" | "reject";
  /** Told of every message after its commit. */
  accepted(waiting: readonly QueuedMessage[]): void;
  /** Told when a key came back with another payload. */
  mismatched(caller: Caller, request: IdempotentRequest): void;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The Send result as it was registered: `queued`, whatever became of the message since. */
export function sendResult(message: Omit<SendResult, "status" | "duplicate">, duplicate: boolean): SendResult {
  const { trackingCode, encoding, characterCount, partCount, submittedAt, sendAt } = message;
  return { trackingCode, status: "queued", encoding, characterCount, partCount, submittedAt, sendAt, duplicate };
}

export class Acceptor {
  /** For those who store the rows of `rowOf` themselves: they reserve, too. */
  readonly rules: TrafficRules;
  readonly #options: AcceptOptions;

  constructor(options: AcceptOptions) {
    this.rules = options.rules;
    this.#options = options;
  }

  /** The result under this key if there is one. Throws `idempotency_key_conflict` when it stands for something else, `api_key_invalid`. */
  replay(caller: Caller, request: IdempotentRequest): Acceptance | null {
    return this.#replayIn(this.#options.store.tables, caller, request);
  }

  /** What the key stands for, without its messages: for requests of more messages than memory should hold. Throws as `replay`. */
  registered(tables: Tables, caller: Caller, request: IdempotentRequest): RegisteredRequest | null {
    // Revoked since the request was authenticated: whoever revokes a key and cancels what waits of it must miss nothing.
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

  /**
   * The row of a draft as it would be accepted at the time of the request. With `remarks` somebody only asks: see TrafficRule.
   * Throws `sender_not_permitted`.
   */
  rowOf(caller: Caller, draft: Draft, remarks?: Remark[]): NewMessage {
    const { directory, trackingCodes, validityMs } = this.#options;
    const sender = directory.sender(caller.accountId, draft.sender);
    if (sender === null || !sender.active) throw new ApiError("sender_not_permitted");
    const text = withoutTabs(draft.text);
    const measure = measureText(text);
    const { accountId, apiKeyId, at } = caller;
    const { class: messageClass, recipient, sendAt } = draft;
    const prospect = {
      accountId,
      apiKeyId,
      senderId: sender.id,
      class: messageClass,
      recipient,
      partCount: measure.partCount,
      submittedAt: at,
      sendAt,
    };
    const { targetId, network, price, isTest, dueAt } = this.rules.judge(prospect, remarks);
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
      validUntil: (dueAt ?? sendAt ?? at) + (draft.validityMs ?? validityMs),
      apiKeyId,
      targetId,
      network,
      price,
      isTest: isTest ? 1 : 0,
    };
  }

  /**
   * Stores all drafts or none, together with the key if there is one. Of racing requests with one key one creates, the rest get its result.
   * Throws `sender_not_permitted`, `idempotency_key_conflict`, `api_key_invalid`, and what reservations refuse with; rejects with
   * StoreUnavailable when the disk refuses.
   */
  accept(
    caller: Caller,
    request: RequestIdentity,
    drafts: readonly Draft[],
    alsoStore?: AlsoStore,
  ): Promise<Acceptance> {
    const { store, accepted } = this.#options;
    const rows = drafts.map((draft) => this.rowOf(caller, draft));
    const demand = this.rules.demandOf(rows);
    const known = this.#checked(caller, request, demand);
    if (known !== null) return Promise.resolve(known);
    return store.append(
      (tables): Acceptance | { firstId: number } => {
        const known = this.#replayIn(tables, caller, request);
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
        if ("results" in outcome) return outcome;
        accepted(rows.map((row, index) => queuedOf(row, outcome.firstId + index)));
        return { results: rows.map((row) => sendResult(row, false)), duplicate: false, payloadMismatch: false };
      },
    );
  }

  /** Null for what may go on; the first result where the key was registered meanwhile, which is never refused. Throws ApiError. */
  #checked(caller: Caller, request: RequestIdentity, demand: Demand): Acceptance | null {
    try {
      this.rules.check(caller, demand);
      return null;
    } catch (reason) {
      const known = this.#replayIn(this.#options.store.tables, caller, request);
      if (known === null) throw reason;
      return known;
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
    return { results, duplicate: true, payloadMismatch: known.payloadMismatch };
  }
}

/** A message as the queue is told of it. */
export function queuedOf(row: NewMessage, id: number): QueuedMessage {
  const { senderId, targetId = 0, submittedAt } = row;
  return { id, dueAt: dueAtOf(row), senderId, class: row.class, targetId, submittedAt };
}

/** Appends the rows one after the other, so that their ids follow each other, and returns the first id. */
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
