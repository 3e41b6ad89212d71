/** Callbacks' signatures and the secrets they are made with (contract, "Signature"). */

/** What a signing secret is made of. */
export const signingSecretBytes = 32;

/**
 * The value of `X-Service-Signature`: `v1=` and 64 hexadecimal characters, over the timestamp, a dot and the body exactly
 * as it is sent. The key is the UTF-8 bytes of the whole secret, its `whsec_` included.
 */
export function signCallback(secret: string, timestampSeconds: number, body: string): string {
  return `v1=${new Bun.CryptoHasher("sha256", secret).update(`${timestampSeconds}.${body}`).digest("hex")}`;
}

/**
 * `whsec_` and 43 characters of base64url from 32 random bytes.
 * @throws RangeError when there are not 32.
 */
export function newSigningSecret(random: Uint8Array): string {
  if (random.length !== signingSecretBytes)
    throw new RangeError(`a signing secret takes ${signingSecretBytes} bytes, not ${random.length}`);
  return `whsec_${Buffer.from(random).toString("base64url")}`;
}
