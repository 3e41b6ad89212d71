/** The newest requests by the fingerprint of their Idempotency-Key, in memory. */
import type { KeyCursor } from "./key-blocks.ts";

const none: readonly number[] = [];

/**
 * Open addressing in flat arrays: every garbage collection walked a Map of 65,536 numbers, which with merging added 2
 * µs per request.
 */
export class FreshKeys {
  #fingerprints: Float64Array;
  /** 0 marks a free slot. */
  #requestIds: Float64Array;
  #size = 0;
  #oldestId = Number.POSITIVE_INFINITY;
  #newestId = 0;

  /** Grows beyond `size` keys when needed. */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * size));
    this.#fingerprints = new Float64Array(slots);
    this.#requestIds = new Float64Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  get oldestId(): number {
    return this.#oldestId;
  }

  get newestId(): number {
    return this.#newestId;
  }

  /** Adding an existing entry changes nothing: a write that runs again adds its request again. */
  add(fingerprint: number, requestId: number): void {
    if (2 * this.#size >= this.#requestIds.length) this.#grow();
    let slot = this.#slotOf(fingerprint);
    for (; this.#requestIds[slot] !== 0; slot = this.#after(slot)) {
      if (this.#requestIds[slot] === requestId && this.#fingerprints[slot] === fingerprint) return;
    }
    this.#fingerprints[slot] = fingerprint;
    this.#requestIds[slot] = requestId;
    this.#size += 1;
    this.#oldestId = Math.min(this.#oldestId, requestId);
    this.#newestId = Math.max(this.#newestId, requestId);
  }

  /**
   * Almost always none or one. Some may name requests that were rolled back; the caller finds out when it reads the
   * row.
   */
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

  /**
   * In ascending order. Sorting plain numbers blocks the event loop for 8 ms at 65,536 entries; as objects it took 25
   * to 40.
   */
  fingerprints(): Float64Array {
    return this.#fingerprints.filter((_, slot) => this.#requestIds[slot] !== 0).sort();
  }

  /** The fingerprint is a hash, so its lowest bits are evenly spread; dividing numbers above 2^31 was slower. */
  #slotOf(fingerprint: number): number {
    return (fingerprint >>> 0) & (this.#requestIds.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#requestIds.length - 1);
  }

  /** Only needed if merging falls behind: while the disk refuses writes, or after a late start. */
  #grow(): void {
    const larger = new FreshKeys(this.#requestIds.length);
    for (const [slot, requestId] of this.#requestIds.entries()) {
      if (requestId !== 0) larger.add(this.#fingerprints[slot] ?? 0, requestId);
    }
    this.#fingerprints = larger.#fingerprints;
    this.#requestIds = larger.#requestIds;
  }
}

/** The keys in ascending order; `fingerprints` are theirs. Those of rolled-back requests are included. */
export class SortedFreshKeys implements KeyCursor {
  readonly #keys: FreshKeys;
  readonly #fingerprints: Float64Array;
  #at = 0;
  /** The other requests of this fingerprint. */
  #more: number[] = [];
  requestId = 0;

  constructor(keys: FreshKeys, fingerprints: Float64Array) {
    this.#keys = keys;
    this.#fingerprints = fingerprints;
    this.#read();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#fingerprints.length;
  }

  get fingerprint(): number {
    return this.#fingerprints[this.#at] ?? 0;
  }

  next(): void {
    this.#at += 1;
    const same = this.#more.pop();
    if (same === undefined) this.#read();
    else this.requestId = same;
  }

  #read(): void {
    const [first = 0, ...more] = this.#keys.find(this.fingerprint);
    this.requestId = first;
    this.#more = more;
  }
}
