/** The newest requests by the fingerprint of their Idempotency-Key, in memory. */

const none: readonly number[] = [];

/**
 * Open addressing in flat arrays: a Map of 65,536 numbers was walked by every collection of
 * garbage, and with its merge cost a request 2 µs more.
 */
export class FreshKeys {
  #fingerprints: Float64Array;
  /** 0 marks a free slot. */
  #requestIds: Float64Array;
  #size = 0;
  #newestId = 0;

  /** Grows beyond `size` keys. */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * size));
    this.#fingerprints = new Float64Array(slots);
    this.#requestIds = new Float64Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  get newestId(): number {
    return this.#newestId;
  }

  /** An entry that is there already changes nothing: a write that runs again adds its request again. */
  add(fingerprint: number, requestId: number): void {
    if (2 * this.#size >= this.#requestIds.length) this.#grow();
    let slot = this.#slotOf(fingerprint);
    for (; this.#requestIds[slot] !== 0; slot = this.#after(slot)) {
      if (this.#requestIds[slot] === requestId && this.#fingerprints[slot] === fingerprint) return;
    }
    this.#fingerprints[slot] = fingerprint;
    this.#requestIds[slot] = requestId;
    this.#size += 1;
    this.#newestId = Math.max(this.#newestId, requestId);
  }

  /** Almost always none or one. Some may name requests that were rolled back: the caller reads the row and sees. */
  find(fingerprint: number): readonly number[] {
    let found: number[] | null = null;
    for (let slot = this.#slotOf(fingerprint); ; slot = this.#after(slot)) {
      const requestId = this.#requestIds[slot] ?? 0;
      if (requestId === 0) return found ?? none;
      if (this.#fingerprints[slot] !== fingerprint) continue;
      found ??= [];
      found.push(requestId);
    }
  }

  /** In ascending order. Sorted as plain numbers: 65,536 entries as objects held the event loop for 25 to 40 ms, these for 8. */
  fingerprints(): Float64Array {
    return this.#fingerprints.filter((_, slot) => this.#requestIds[slot] !== 0).sort();
  }

  /** The fingerprint is a hash: its lowest bits are spread evenly, and a division of numbers above 2^31 took longer. */
  #slotOf(fingerprint: number): number {
    return (fingerprint >>> 0) & (this.#requestIds.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#requestIds.length - 1);
  }

  /** Only where merging lags behind: while the disk refuses, or when it began late. */
  #grow(): void {
    const larger = new FreshKeys(this.#requestIds.length);
    for (const [slot, requestId] of this.#requestIds.entries()) {
      if (requestId !== 0) larger.add(this.#fingerprints[slot] ?? 0, requestId);
    }
    this.#fingerprints = larger.#fingerprints;
    this.#requestIds = larger.#requestIds;
  }
}
