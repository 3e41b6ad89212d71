/** Numbers the long messages to a recipient, so that no handset mixes the parts of two. */
import { dropOldest } from "../../platform/drop-oldest.ts";
import type { Random } from "../../platform/random.ts";

/** Recipients remembered; a forgotten one starts anew, for its last message has long been put together. */
const recipientsMax = 50_000;

/**
 * A reference repeats only after all others were used for that recipient: 256 messages with `udh8`, 65,536 with
 * the others. A counter over all recipients would repeat one by accident for every 256th pair.
 */
export class References {
  readonly #last = new Map<string, number>();

  constructor(
    readonly count: 256 | 65_536,
    readonly random: Random,
  ) {}

  next(recipient: string): number {
    const last = this.#last.get(recipient) ?? Math.floor(this.random.fraction() * this.count);
    const reference = (last + 1) % this.count;
    this.#last.delete(recipient);
    this.#last.set(recipient, reference);
    dropOldest(this.#last, recipientsMax);
    return reference;
  }
}
