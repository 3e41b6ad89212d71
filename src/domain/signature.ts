/** Signatures of callbacks, and their secrets (contract, "Signature"). */

/** Random bytes in a signing secret. */
export const signingSecretBytes = 32;

/**
 * The value of `X-Service-Signature`: `v1=` and 64 hexadecimal characters, over the timestamp, a dot and the exact
 * body. The key is the UTF-8 bytes of the whole secret, including `whsec_`.
 */
export function signCallback(secret: string, timestampSeconds: number, body: string): string {
  return `v1=${new Bun.CryptoHasher("sha256", secret).update(`${timestampSeconds}.${body}`).digest("hex")}`;
}

/** What a receiver checks; `now` in epoch milliseconds. */
export function signatureHeaders(secret: string, now: number, body: string): Record<string, string> {
  const timestamp = Math.floor(now / 1000);
  return { "X-Service-Timestamp": String(timestamp), "X-Service-Signature": signCallback(secret, timestamp, body) };
}

/** `whsec_` and 43 characters of base64url from 32 random bytes. @throws RangeError if there are not 32. */
export function newSigningSecret(random: Uint8Array): string {
  if (random.length !== signingSecretBytes)
    throw new RangeError(`a signing secret takes ${signingSecretBytes} bytes, not ${random.length}`);
  return `whsec_${Buffer.from(random).toString("base64url")}`;
}
