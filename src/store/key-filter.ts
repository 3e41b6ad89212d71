/** Tells, without asking the disk, which fingerprints are not in the index there: almost every key that comes is new. */

const sections = 2 ** 16;
const wordsOfSection = 32;
const fingerprintsOfSection = 2 ** 37;
/** Read at once: 5,000 fingerprints at ten million keys, half a millisecond. */
const sectionsOfSlice = 32;

/** The fingerprints in the index from `from` on, below `before`. */
export type ReadFingerprints = (from: number, before: number) => Iterable<number>;

/**
 * A Bloom filter in which three bits of one 32-bit word stand for a fingerprint of 53 bits: one cache miss. At ten million keys
 * a new one took 4.5 µs on disk and takes 0.35 here, and one in sixteen still asks the disk. 8 MB, in pages that are taken as keys
 * are merged. What the index holds at a start is read slice by slice (`readSlice`); until then the disk is asked. Read when a key
 * first asked for it, a section at a time, it halved what was accepted in the first seconds of a start.
 */
export class KeyFilter {
  /** Empty until the first fingerprint: 8 MB at once made a start wait 15 ms for a collection of garbage. */
  #words = new Int32Array(0);
  /** 1 for a section that holds all its fingerprints. */
  readonly #isRead = new Uint8Array(sections);
  /** All sections before this one are read. */
  #readTo = 0;
  readonly #fingerprints: ReadFingerprints;

  constructor(fingerprints: ReadFingerprints, isEmpty: boolean) {
    this.#fingerprints = fingerprints;
    if (!isEmpty) return;
    this.#isRead.fill(1);
    this.#readTo = sections;
  }

  /** False where the index certainly has no such fingerprint. */
  mayHold(fingerprint: number): boolean {
    if (this.#isRead[sectionOf(fingerprint)] === 0) return true;
    const bits = bitsOf(fingerprint);
    return ((this.#words[wordOf(fingerprint)] ?? 0) & bits) === bits;
  }

  /** The fingerprint is in the index from now on. */
  add(fingerprint: number): void {
    if (this.#isRead[sectionOf(fingerprint)] === 1) this.#set(fingerprint);
  }

  /** Fingerprints between these two have left the index: their sections are to be read again. */
  forget(first: number, last: number): void {
    const [from, to] = [sectionOf(Math.max(first, 0)), sectionOf(last)];
    this.#isRead.fill(0, from, to + 1);
    this.#words.fill(0, from * wordsOfSection, (to + 1) * wordsOfSection);
    this.#readTo = Math.min(this.#readTo, from);
  }

  /** Reads the next slice of the index that is not in here; false when there was none. */
  readSlice(): boolean {
    const from = this.#isRead.indexOf(0, this.#readTo);
    if (from === -1) return false;
    const to = Math.min(from + sectionsOfSlice, sections);
    for (const fingerprint of this.#fingerprints(from * fingerprintsOfSection, to * fingerprintsOfSection)) {
      this.#set(fingerprint);
    }
    this.#isRead.fill(1, from, to);
    this.#readTo = to;
    return true;
  }

  #set(fingerprint: number): void {
    if (this.#words.length === 0) this.#words = new Int32Array(sections * wordsOfSection);
    const word = wordOf(fingerprint);
    this.#words[word] = (this.#words[word] ?? 0) | bitsOf(fingerprint);
  }
}

/** Its highest 21 bits. */
const wordOf = (fingerprint: number): number => Math.floor(fingerprint / 2 ** 32);
const sectionOf = (fingerprint: number): number => wordOf(fingerprint) >>> 5;

/** One to three bits, chosen by its lowest 15. */
function bitsOf(fingerprint: number): number {
  const low = fingerprint >>> 0;
  return (1 << (low & 31)) | (1 << ((low >>> 5) & 31)) | (1 << ((low >>> 10) & 31));
}
