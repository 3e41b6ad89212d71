/** Bounds the memory for request bodies: bytes in flight, for all keys together and for each. */
import { ApiError } from "../domain/api-error.ts";

/** Eight of the largest bodies; only one at a time needs the extra memory for parsing. */
export const allBytesMax = 128 * 1024 * 1024;
/** Two of the largest bodies. */
export const keyBytesMax = 32 * 1024 * 1024;

/** A body of the largest size takes about this long on a 100 Mbit/s line. */
const retryAfterSeconds = 2;

export class BodyBudget {
  #bytes = 0;
  readonly #ofKey = new Map<number, number>();

  /** The bytes of one request count until its `release`. */
  open(keyId: number): HeldBody {
    return new HeldBody(this, keyId);
  }

  /** Throws `rate_limit_exceeded` if the key, and `service_unavailable` if all keys together hold too much. */
  take(keyId: number, bytes: number): void {
    const ofKey = (this.#ofKey.get(keyId) ?? 0) + bytes;
    if (ofKey > keyBytesMax) {
      const message = `Bodies of this key in flight may have ${keyBytesMax} bytes together.`;
      throw new ApiError("rate_limit_exceeded", { message, retryAfterSeconds });
    }
    if (this.#bytes + bytes > allBytesMax) {
      const message = "The service holds as many bodies as it may; retry with the same Idempotency-Key.";
      throw new ApiError("service_unavailable", { message, retryAfterSeconds });
    }
    this.#ofKey.set(keyId, ofKey);
    this.#bytes += bytes;
  }

  give(keyId: number, bytes: number): void {
    const ofKey = (this.#ofKey.get(keyId) ?? 0) - bytes;
    if (ofKey > 0) this.#ofKey.set(keyId, ofKey);
    else this.#ofKey.delete(keyId);
    this.#bytes -= bytes;
  }
}

/** The bytes that one request holds until it is answered. */
export class HeldBody {
  readonly #budget: BodyBudget;
  readonly #keyId: number;
  #bytes = 0;

  constructor(budget: BodyBudget, keyId: number) {
    this.#budget = budget;
    this.#keyId = keyId;
  }

  /** Throws as `BodyBudget.take`. */
  add(bytes: number): void {
    this.#budget.take(this.#keyId, bytes);
    this.#bytes += bytes;
  }

  release(): void {
    this.#budget.give(this.#keyId, this.#bytes);
    this.#bytes = 0;
  }
}
