/** Bounds the memory of request bodies: bytes in flight, of all keys together and of each. */
import { ApiError } from "../domain/api-error.ts";

/** Eight of the largest bodies; what else a body needs while it is parsed is needed by one at a time. */
export const allBytesMax = 128 * 1024 * 1024;
/** Two of the largest bodies. */
export const keyBytesMax = 32 * 1024 * 1024;

/** A body of the largest size takes about as long on a line of 100 Mbit/s. */
const retryAfterSeconds = 2;

export class BodyBudget {
  #bytes = 0;
  readonly #ofKey = new Map<number, number>();

  /** Until its `release`, the bytes of one request count. */
  open(keyId: number): HeldBody {
    return new HeldBody(this, keyId);
  }

  /** Throws `rate_limit_exceeded` where the key, and `service_unavailable` where all keys together hold too much. */
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

/** The bytes that one request holds, until it is answered. */
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
