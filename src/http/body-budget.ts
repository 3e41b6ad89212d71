/**
 * Bounds the memory for request bodies: bytes in flight, for all senders together and for each. Lets large ones take
 * turns.
 */
import { ApiError } from "../domain/api-error.ts";
import { LoopTurns } from "../platform/loop-turns.ts";

/** Eight of the largest bodies; only one at a time needs the extra memory for parsing. */
export const allBytesMax = 128 * 1024 * 1024;
/** Two of the largest bodies. */
export const senderBytesMax = 32 * 1024 * 1024;

/** A body of the largest size takes about this long on a 100 Mbit/s line. */
const retryAfterSeconds = 2;

/** Bodies from this size on take turns: no single message needs as much. */
const largeBytesMin = 5 * 1_024;
/**
 * How much of them is in one turn of the event loop: 800 small messages. Forty batches of 500 that came at once held it
 * for 150 ms.
 */
const turnBytesMax = 48 * 1_024;

/** The id of an account, however many keys it has, or the address of a client that may be a stranger. */
export type BodySender = number | string;

export class BodyBudget {
  readonly turns = new LoopTurns(turnBytesMax);
  #bytes = 0;
  readonly #ofSender = new Map<BodySender, number>();

  /** The bytes of one request count until its `release`. */
  open(sender: BodySender): HeldBody {
    return new HeldBody(this, sender);
  }

  /** Throws `rate_limit_exceeded` if the sender, and `service_unavailable` if all together hold too much. */
  take(sender: BodySender, bytes: number): void {
    const ofSender = (this.#ofSender.get(sender) ?? 0) + bytes;
    if (ofSender > senderBytesMax) {
      const message = `Bodies of this account in flight may have ${senderBytesMax} bytes together.`;
      throw new ApiError("rate_limit_exceeded", { message, retryAfterSeconds });
    }
    if (this.#bytes + bytes > allBytesMax) {
      const message = "The service holds as many bodies as it may; retry with the same Idempotency-Key.";
      throw new ApiError("service_unavailable", { message, retryAfterSeconds });
    }
    this.#ofSender.set(sender, ofSender);
    this.#bytes += bytes;
  }

  give(sender: BodySender, bytes: number): void {
    const ofSender = (this.#ofSender.get(sender) ?? 0) - bytes;
    if (ofSender > 0) this.#ofSender.set(sender, ofSender);
    else this.#ofSender.delete(sender);
    this.#bytes -= bytes;
  }
}

/** The bytes that one request holds until it is answered. */
export class HeldBody {
  #bytes = 0;

  constructor(
    private readonly budget: BodyBudget,
    private readonly sender: BodySender,
  ) {}

  /** Throws as `BodyBudget.take`. */
  add(bytes: number): void {
    this.budget.take(this.sender, bytes);
    this.#bytes += bytes;
  }

  /** It must not be parsed or accepted before its turn. */
  get isLarge(): boolean {
    return this.#bytes >= largeBytesMin;
  }

  /** Resolves when it is its turn; accounts take turns. */
  turn(): Promise<void> {
    return this.budget.turns.next(typeof this.sender === "number" ? this.sender : undefined, this.#bytes);
  }

  release(): void {
    this.budget.give(this.sender, this.#bytes);
    this.#bytes = 0;
  }
}
