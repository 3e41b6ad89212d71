/** API keys: their format, and the hash they are looked up by. */
import { createHash } from "node:crypto";
import type { Random } from "../../platform/random.ts";

/** `peyk_` and 32 random bytes in base64url. */
export function newApiKey(random: Random): string {
  return `peyk_${Buffer.from(random.bytes(32)).toString("base64url")}`;
}

/** SHA-256 of the whole key. A slow hash would add nothing: the key holds 256 random bits. */
export function apiKeyHash(apiKey: string): Buffer {
  return createHash("sha256").update(apiKey).digest();
}

/** The same hash in hexadecimal, as the directory stores it. */
export function apiKeyLookup(apiKey: string): string {
  return Bun.SHA256.hash(apiKey, "hex");
}
