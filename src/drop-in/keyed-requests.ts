/**
 * Finds the earlier request with the same key, in the transaction that would store the new one. Keys are per
 * credential.
 */
import { ApiError } from "../domain/api-error.ts";
import type { DropInOptions } from "../domain/drop-in-credential.ts";
import {
  type Acceptance,
  type AlsoStore,
  type RegisteredRequest,
  type RepeatFinder,
  sendResult,
} from "../messaging/messages/accept.ts";
import type { StagedRepeats } from "../messaging/messages/staged-acceptance.ts";
import { keptSince, type Moment } from "../platform/booking-clock.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Logger } from "../platform/log.ts";
import type { CredentialRequestRow } from "../store/credential-requests.ts";
import type { Tables } from "../store/store.ts";

export interface KeyedRequestDeps {
  hash: KeyedHash;
  log: Logger;
  mismatch: "replay" | "reject";
}

/** A request whose repeats are recognised. */
export interface KeyedRequest {
  finder: RepeatFinder;
  /** Stored together with its messages. */
  store: AlsoStore;
}

export interface KeyedRequestInput {
  credentialId: number;
  options: DropInOptions;
  key: string;
  /** What repeats have in common; stored as a hash. */
  payload: string;
  messageCount: number;
  /** Of the request. */
  moment: Moment;
}

export class KeyedRequests {
  constructor(private readonly deps: KeyedRequestDeps) {}

  of(input: KeyedRequestInput): KeyedRequest {
    const { hash } = this.deps;
    const { credentialId, key, messageCount, moment } = input;
    const keyHash = hash.hash(`drop-in key ${credentialId} ${key}`);
    const payloadHash = hash.hash(`drop-in payload ${input.payload}`);
    return {
      finder: { replayed: (tables) => this.#replayed(tables, input, keyHash, payloadHash) },
      store: (tables, firstMessageId) => {
        const row = { credentialId, keyHash, payloadHash, firstMessageId, messageCount, createdAt: moment.at };
        tables.credentialRequests.insert(row);
      },
    };
  }

  /** The same for requests of very many messages, which are counted only at the end. */
  staged(input: Omit<KeyedRequestInput, "messageCount">): StagedRepeats {
    const { hash } = this.deps;
    const { credentialId, key, moment } = input;
    const keyHash = hash.hash(`drop-in key ${credentialId} ${key}`);
    const payloadHash = hash.hash(`drop-in payload ${input.payload}`);
    return {
      name: `credential ${credentialId} ${key}`,
      registered: (tables) => this.#registered(tables, input, keyHash, payloadHash),
      store: (tables, run) =>
        tables.credentialRequests.insert({ credentialId, keyHash, payloadHash, ...run, createdAt: moment.at }),
    };
  }

  #replayed(tables: Tables, input: KeyedRequestInput, keyHash: Uint8Array, payloadHash: Uint8Array): Acceptance | null {
    const known = this.#registered(tables, input, keyHash, payloadHash);
    if (known === null) return null;
    const { firstMessageId, messageCount, payloadMismatch } = known;
    const messages = tables.messages.run(firstMessageId, messageCount);
    return { results: messages.map((message) => sendResult(message, true)), duplicate: true, payloadMismatch };
  }

  #registered(
    tables: Tables,
    { credentialId, options, moment }: Omit<KeyedRequestInput, "messageCount">,
    keyHash: Uint8Array,
    payloadHash: Uint8Array,
  ): RegisteredRequest | null {
    const known = tables.credentialRequests.newest(keyHash, keptSince(moment, options.keySeconds * 1_000));
    if (known === null || isFree(tables, known, options)) return null;
    const payloadMismatch = Buffer.compare(known.payloadHash, payloadHash) !== 0;
    if (payloadMismatch) this.#mismatched(credentialId);
    return { ...known, payloadMismatch };
  }

  #mismatched(credential: number): void {
    const { log, mismatch } = this.deps;
    log.warn({ credential }, "a key came again with another payload");
    if (mismatch === "reject") {
      const message = "The key already stands for a request with another payload.";
      throw new ApiError("idempotency_key_conflict", { message });
    }
  }
}

/** True if all its messages failed, where that frees a key, or if an older version deleted them without a trace. */
function isFree(tables: Tables, known: CredentialRequestRow, { keyFreeAfterFailure }: DropInOptions): boolean {
  if (keyFreeAfterFailure && haveAllFailed(tables, known)) return true;
  return tables.messages.run(known.firstMessageId, 1).length === 0;
}

function haveAllFailed(tables: Tables, { firstMessageId, messageCount }: CredentialRequestRow): boolean {
  for (let id = firstMessageId; id < firstMessageId + messageCount; id += 1) {
    if (!tables.messages.hasFailed(id)) return false;
  }
  return true;
}
