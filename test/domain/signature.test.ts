/** A receiver that follows the contract to the letter verifies every callback, and nothing else. */
import { describe, expect, test } from "bun:test";
import { createHmac, timingSafeEqual } from "node:crypto";
import fc from "fast-check";
import { newSigningSecret, signCallback } from "../../src/domain/signature.ts";

const secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** The receiver's side, on the bytes as received, written from the contract. */
function verifies(key: string, timestamp: string, body: Uint8Array, signature: string): boolean {
  const signed = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  const expected = createHmac("sha256", Buffer.from(key, "utf8")).update(signed).digest();
  const given = Buffer.from(signature.replace(/^v1=/, ""), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

describe("a callback's signature", () => {
  test("equals what openssl computes", () => {
    expect(signCallback(secret, 1784822400, '{"id":"e1","text":"سلام"}')).toBe(
      "v1=bed9b0aa98dcfc34b93516860a7bd9b230d30d93fc69f52d8aad8f95cc7afc66",
    );
  });

  test("verifies over the bytes on the wire, for any body", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (body, timestamp) => {
        const signature = signCallback(secret, timestamp, body);
        expect(signature).toMatch(/^v1=[0-9a-f]{64}$/);
        expect(verifies(secret, String(timestamp), new TextEncoder().encode(body), signature)).toBe(true);
      }),
    );
  });

  test("changes with the secret, the time and the body", () => {
    const signatures = [
      signCallback(secret, 1, "a"),
      signCallback(`${secret.slice(0, -1)}B`, 1, "a"),
      signCallback(secret, 2, "a"),
      signCallback(secret, 1, "b"),
      signCallback(secret, 1, ""),
    ];
    expect(new Set(signatures).size).toBe(signatures.length);
  });
});

describe("a signing secret", () => {
  test("is whsec_ and 43 characters that encode the 32 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const made = newSigningSecret(bytes);
        expect(made).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
        expect(new Uint8Array(Buffer.from(made.slice(6), "base64url"))).toEqual(bytes);
      }),
    );
  });

  test("is not made from fewer or more bytes", () => {
    for (const length of [0, 31, 33]) expect(() => newSigningSecret(new Uint8Array(length))).toThrow(RangeError);
  });
});
