/** A session's token reveals its user only to the service that made it. */
import { expect, test } from "bun:test";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { SessionTokens } from "../../src/users/session-tokens.ts";
import { newToken } from "../../src/users/token.ts";

const tokensUnder = (key: Uint8Array) => new SessionTokens({ random: systemRandom, tokenProof: createKeyedHash(key) });

test("a token names its user, and any other text names nobody", () => {
  const key = systemRandom.bytes(32);
  const tokens = tokensUnder(key);
  for (const user of [1, 255, 256, 2 ** 32 - 1]) {
    const token = tokens.forUser(user);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(tokens.userOf(token)).toBe(user);
    expect(tokensUnder(key).userOf(token)).toBe(user);
    expect(tokensUnder(systemRandom.bytes(32)).userOf(token)).toBeNull();
  }
  const token = tokens.forUser(7);
  expect(tokens.forUser(7)).not.toBe(token);
  const bytes = Buffer.from(token, "base64url");
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(tokens.userOf(changed.toString("base64url"))).toBeNull();
  }
  for (const text of ["", "x", newToken(systemRandom), `${token}A`, token.slice(1), "س".repeat(43), "=".repeat(43)]) {
    expect(tokens.userOf(text)).toBeNull();
  }
});
