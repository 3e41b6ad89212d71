/**
 * Recognises repeated submits: by user_message_reference, addresses and octets, or by the TLV that the credential names
 * as its key.
 */
import { ApiError } from "../domain/api-error.ts";
import type { SmppRepeats } from "../domain/credential.ts";
import { keptSince, type Moment } from "../platform/booking-clock.ts";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { SmppSubmitRow } from "../store/smpp-submits.ts";
import type { Tables } from "../store/store.ts";
import type { ReceivedSubmit } from "./customer-requests.ts";

export interface SubmitRepeatDeps {
  hash: KeyedHash;
  /** How long a key sent as a TLV is remembered. */
  keyMs: number;
  mismatch: "replay" | "reject";
  /** Called when a key is reused with another payload. */
  mismatched(credentialId: number): void;
}

/** A two-octet counter wraps around: after this time the same reference is a new message. */
const referenceMs = 10 * 60_000;
const keyOctets = 16;

/** What identifies repeats of a submit. */
export interface RepeatKey {
  key: Uint8Array;
  payload: Uint8Array;
  /** How long it is remembered. */
  forMs: number;
  /** The identity itself covers the payload. */
  holdsPayload: boolean;
}

export class SubmitRepeats {
  constructor(private readonly deps: SubmitRepeatDeps) {}

  /** Null if repeats of the submit cannot be recognised. `segment`: its number; 0 for a whole message. */
  keyOf(credentialId: number, repeats: SmppRepeats, submit: ReceivedSubmit, segment: number): RepeatKey | null {
    if (repeats === "off") return null;
    const { reference, keyTlv } = submit;
    if (repeats === "reference") {
      if (reference === null) return null;
      const payload = this.#payload(submit);
      const key = this.#hash(`reference ${credentialId} ${reference} `, payload);
      return { key, payload, forMs: referenceMs, holdsPayload: true };
    }
    if (keyTlv === null) return null;
    const key = this.#hash(`key ${credentialId} ${segment} `, keyTlv);
    return { key, payload: this.#payload(submit), forMs: this.deps.keyMs, holdsPayload: false };
  }

  /**
   * The submit that this one repeats. Call it in the transaction that would store it, or for one that is refused anyway.
   * Throws `idempotency_key_conflict`.
   */
  find(tables: Tables, repeat: RepeatKey, credentialId: number, moment: Moment): SmppSubmitRow | null {
    // A reference is used again after a while, whatever the clock says.
    const since = repeat.holdsPayload ? moment.at - repeat.forMs : keptSince(moment, repeat.forMs);
    const first = tables.smppSubmits.byRepeat(repeat.key, since);
    if (first === null || repeat.holdsPayload) return first;
    if (first.payloadHash !== null && Buffer.compare(first.payloadHash, repeat.payload) === 0) return first;
    this.deps.mismatched(credentialId);
    if (this.deps.mismatch === "reject") throw new ApiError("idempotency_key_conflict");
    return first;
  }

  #payload({ source, destination, esmClass, dataCoding, content }: ReceivedSubmit): Uint8Array {
    const addresses = `${source.ton} ${source.digits} ${destination.ton} ${destination.digits}`;
    return this.#hash(`${addresses} ${esmClass} ${dataCoding} `, content);
  }

  #hash(prefix: string, octets: Uint8Array): Uint8Array {
    return this.deps.hash.hash(Buffer.concat([Buffer.from(`smpp ${prefix}`, "latin1"), octets])).subarray(0, keyOctets);
  }
}
