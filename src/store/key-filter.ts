/** Tells, without reading the disk, which fingerprints are not in the index: almost every key is new. */

const sections = 2 ** 16;
const fingerprintsOfSection = 2 ** 37;
/** A service with few keys has 8 MB, one with many up to 32. */
const [wordBitsMin, wordBitsMax] = [21, 23];
/** With more keys in a word, too many that are not in the index seem to be. */
const keysOfWordMax = 3;
/** States of a section: it may hold anything; it holds what is in the index; the same and what has left it. */
const [unread, loaded, outdated] = [0, 1, 2];
/**
 * Read at once, about: 1 to 3 ms. Slices of 32 sections, however few keys they held, left the filter of 3.6 million keys
 * unread for 10 s after a start, and each new key was looked for in all lots: 0.5 of the rate.
 */
const keysOfSlice = 2 ** 14;

/** The fingerprints in the index from `from` up to but not including `before`. */
export type ReadFingerprints = (from: number, before: number) => readonly number[];

/**
 * A Bloom filter that sets three bits of one 32-bit word for a 53-bit fingerprint: one cache miss. Its size follows the
 * number of keys at the start: at ten million it takes 16 MB, and one new key in sixty reads the disk; with 8 MB it was
 * one in sixteen, and looking new keys up took 3 µs each. Pages are allocated as keys are merged. What the index already
 * holds at startup is read slice by slice (`readSlice`); until then the disk is read. Reading each section when a key
 * first needed it halved throughput in the first seconds after a start.
 */
export class KeyFilter {
  readonly #wordBits: number;
  /** Empty until the first fingerprint: allocating 8 MB at once delayed startup by 15 ms for a garbage collection. */
  #words = new Int32Array(0);
  readonly #states = new Uint8Array(sections).fill(unread);
  /** All sections before this one are loaded. */
  #readTo = 0;
  readonly #fingerprints: ReadFingerprints;
  readonly #keyCount: () => number;

  /** `keyCount`: how many keys are in the index now, about. */
  constructor(fingerprints: ReadFingerprints, keyCount: () => number) {
    this.#fingerprints = fingerprints;
    this.#keyCount = keyCount;
    const wanted = Math.ceil(Math.log2(Math.max(keyCount(), 1) / keysOfWordMax));
    this.#wordBits = Math.min(Math.max(wanted, wordBitsMin), wordBitsMax);
    if (keyCount() > 0) return;
    this.#states.fill(loaded);
    this.#readTo = sections;
  }

  /** False if the fingerprint is certainly not in the index. */
  mayHold(fingerprint: number): boolean {
    if (this.#states[sectionOf(fingerprint)] === unread) return true;
    const bits = bitsOf(fingerprint);
    return ((this.#words[this.#wordOf(fingerprint)] ?? 0) & bits) === bits;
  }

  /** The fingerprint is now in the index. */
  add(fingerprint: number): void {
    if (this.#states[sectionOf(fingerprint)] !== unread) this.#set(fingerprint);
  }

  /** Fingerprints between these two were removed from the index: their sections are read again, and held until then. */
  forget(first: number, last: number): void {
    const [from, to] = [sectionOf(Math.max(first, 0)), sectionOf(last)];
    for (let section = from; section <= to; section += 1)
      if (this.#states[section] === loaded) this.#states[section] = outdated;
    this.#readTo = Math.min(this.#readTo, from);
  }

  /** Reads the next slice of the index that is not loaded; false if there was none. */
  readSlice(): boolean {
    let from = this.#readTo;
    while (from < sections && this.#states[from] === loaded) from += 1;
    if (from === sections) return false;
    const sectionsOfSlice = Math.ceil((sections * keysOfSlice) / Math.max(this.#keyCount(), 1));
    const to = Math.min(from + sectionsOfSlice, sections);
    const wordsOfSection = 2 ** this.#wordBits / sections;
    // Before anything is cleared: if it cannot be read, these sections still hold what they held.
    const fingerprints = this.#fingerprints(from * fingerprintsOfSection, to * fingerprintsOfSection);
    this.#words.fill(0, from * wordsOfSection, to * wordsOfSection);
    for (const fingerprint of fingerprints) this.#set(fingerprint);
    this.#states.fill(loaded, from, to);
    this.#readTo = to;
    return true;
  }

  #set(fingerprint: number): void {
    if (this.#words.length === 0) this.#words = new Int32Array(2 ** this.#wordBits);
    const word = this.#wordOf(fingerprint);
    this.#words[word] = (this.#words[word] ?? 0) | bitsOf(fingerprint);
  }

  /** The word for the highest bits. */
  #wordOf(fingerprint: number): number {
    return Math.floor(fingerprint / 2 ** (53 - this.#wordBits));
  }
}

const sectionOf = (fingerprint: number): number => Math.floor(fingerprint / fingerprintsOfSection);

/** One to three bits, chosen by the lowest 15 bits. */
function bitsOf(fingerprint: number): number {
  const low = fingerprint >>> 0;
  return (1 << (low & 31)) | (1 << ((low >>> 5) & 31)) | (1 << ((low >>> 10) & 31));
}
