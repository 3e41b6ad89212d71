/** Fingerprints of Idempotency-Keys, by which the index finds them: 53 bits, what a number holds exactly. */

/**
 * SHA-256 under a secret of the database: whoever does not know it cannot make keys that share a fingerprint. Under the unkeyed
 * hash of before, thousands of such keys were made in seconds, and each cost every later one a row to read.
 */
export class KeyedFingerprint {
  readonly #secret: string;
  readonly #hash = new Uint8Array(32);
  readonly #view = new DataView(this.#hash.buffer);
  #apiKeyId = 0;
  #key = "";
  #fingerprint = Number.NaN;

  /** `secret` has a fixed length, or two secrets and keys could run together to one text. */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The last one is remembered: a key is looked for just before it is stored. */
  of(apiKeyId: number, key: string): number {
    if (key === this.#key && apiKeyId === this.#apiKeyId) return this.#fingerprint;
    Bun.SHA256.hash(`${this.#secret}${apiKeyId}:${key}`, this.#hash);
    this.#apiKeyId = apiKeyId;
    this.#key = key;
    this.#fingerprint = this.#view.getUint32(0) * 2 ** 21 + (this.#view.getUint32(4) >>> 11);
    return this.#fingerprint;
  }
}

/** As requests were indexed before the secret was there: xxHash64, cut to the same length. */
export function unkeyedFingerprint(apiKeyId: number, key: string): number {
  return Number(Bun.hash.xxHash64(`${apiKeyId}:${key}`) >> 11n);
}
