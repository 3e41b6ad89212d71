/** Blocks of sorted keys: a fingerprint of 8 octets and the id of its request in 4, in one page of a lot. */

/** The fingerprint of a key, and the request it came with. */
export interface KeyEntry {
  readonly fingerprint: number;
  readonly requestId: number;
}

/** Keys in ascending order of fingerprint; it stands at the first one. */
export interface KeyCursor extends KeyEntry {
  readonly isAtEnd: boolean;
  next(): void;
}

/** As many as fit with their row into a leaf page of 4 KiB. */
const keysOfBlock = 337;
const keyOctets = 12;

/** Ids of requests in a lot are counted from its first, in 32 bits. */
export const idsOfLotMax = 2 ** 32;

export interface KeyBlock {
  fingerprints: Float64Array;
  offsets: Uint32Array;
}

export function readBlock(octets: Uint8Array): KeyBlock {
  const { buffer } = new Uint8Array(octets);
  const count = octets.length / keyOctets;
  return { fingerprints: new Float64Array(buffer, 0, count), offsets: new Uint32Array(buffer, 8 * count, count) };
}

/** Takes the next keys from the cursor, which is not at its end. */
export function takeBlock(cursor: KeyCursor, firstId: number): { start: number; count: number; octets: Uint8Array } {
  const fingerprints = new Float64Array(keysOfBlock);
  const offsets = new Uint32Array(keysOfBlock);
  let count = 0;
  for (; count < keysOfBlock && !cursor.isAtEnd; cursor.next()) {
    fingerprints[count] = cursor.fingerprint;
    offsets[count] = cursor.requestId - firstId;
    count += 1;
  }
  const octets = new Uint8Array(count * keyOctets);
  octets.set(new Uint8Array(fingerprints.buffer, 0, 8 * count));
  octets.set(new Uint8Array(offsets.buffer, 0, 4 * count), 8 * count);
  return { start: fingerprints[0] ?? 0, count, octets };
}

/** The keys of several cursors as those of one. */
export class MergedKeys implements KeyCursor {
  #cursors: KeyCursor[];
  #least: KeyCursor | undefined;

  constructor(cursors: readonly KeyCursor[]) {
    this.#cursors = cursors.filter(({ isAtEnd }) => !isAtEnd);
    this.#choose();
  }

  get isAtEnd(): boolean {
    return this.#least === undefined;
  }

  get fingerprint(): number {
    return this.#least?.fingerprint ?? 0;
  }

  get requestId(): number {
    return this.#least?.requestId ?? 0;
  }

  next(): void {
    this.#least?.next();
    if (this.#least?.isAtEnd === true) this.#cursors = this.#cursors.filter((cursor) => cursor !== this.#least);
    this.#choose();
  }

  #choose(): void {
    let least = this.#cursors[0];
    for (const cursor of this.#cursors)
      if (least !== undefined && cursor.fingerprint < least.fingerprint) least = cursor;
    this.#least = least;
  }
}

/** Index of the first element that is not less than `value`. */
export function firstNotBefore(sorted: Float64Array, value: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
