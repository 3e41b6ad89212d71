import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { sign } from "../../scripts/sign.ts";
import { SignatureWrong, verifyMinisign } from "../../src/platform/minisign.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { describeWith } from "../support/wants.ts";

/** Made by minisign 0.11. */
const publicKey = "RWSHPwhdD2x9g1rr5xouO0OJbLPMG01rVKygg1SBylmqC8dZ6/yT8OJI";
const content = Buffer.from("hello\n");
const signatureLine =
  "RUSHPwhdD2x9g4Vod5mDcJglJ7o6cPUhzPt2vVA08oZogTVhfTDan62MnjhYN36mfcUyOiGMsCwZJ1YCdAjdDYNkLZi8pwG6gQc=";
const commentLine = "nhdbKoxJGEPga8qdmK+bvrhupzjt2idtHSmTPsrFQutN3pRHhu1fBZP7VKTSmoLJhMDdCssYfgUC0N+cSO5MCg==";
const legacyLine =
  "RWSHPwhdD2x9g5iReGa008H+IXC1VUQDAVgk7Gh1794n4YPxif7BS8anOv4cI41tiy5J7OACDPuKRy2MSnC+JVrvvJGgPHm+XAM=";
const textOf = (main = signatureLine, comment = "peyk 9.9.9", whole = commentLine) =>
  `untrusted comment: signature from minisign secret key\n${main}\ntrusted comment: ${comment}\n${whole}\n`;

/** The base64 with one bit of its bytes changed. */
function flipped(base64: string, bit: number): string {
  const bytes = Buffer.from(base64, "base64");
  const at = bit >> 3;
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
  return bytes.toString("base64");
}

const bitOf = (base64: string) => fc.integer({ min: 0, max: Buffer.from(base64, "base64").length * 8 - 1 });

describe("a minisign signature", () => {
  test("is right for its content, and yields its trusted comment", () => {
    expect(verifyMinisign(publicKey, textOf(), content)).toBe("peyk 9.9.9");
  });

  test("is wrong for any other content, comment and key, and with any bit changed", () => {
    expect(() => verifyMinisign(publicKey, textOf(), Buffer.from("Hello\n"))).toThrow("not what was signed");
    expect(() => verifyMinisign(publicKey, textOf(signatureLine, "peyk 9.9.8"), content)).toThrow("trusted comment");
    const change = (base64: string, verify: (changed: string) => void) =>
      fc.assert(
        fc.property(bitOf(base64), (bit) => expect(() => verify(flipped(base64, bit))).toThrow(SignatureWrong)),
      );
    change(signatureLine, (changed) => verifyMinisign(publicKey, textOf(changed), content));
    change(commentLine, (changed) => verifyMinisign(publicKey, textOf(signatureLine, "peyk 9.9.9", changed), content));
    change(publicKey, (changed) => verifyMinisign(changed, textOf(), content));
  });

  test("is refused in words if it is malformed, of the old kind, or without a key", () => {
    const cases: [key: string, text: string][] = [
      ["", textOf()],
      [publicKey, ""],
      [publicKey, "\n\n\n"],
      [publicKey, textOf(legacyLine)],
    ];
    for (const [key, text] of cases) expect(() => verifyMinisign(key, text, content)).toThrow("minisign's format");
  });
});

describeWith("minisign")("a signed release", () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const keys = { secret: join(folder.path, "key"), public: join(folder.path, "key.pub") };
  const sums = join(folder.path, "SHA256SUMS");

  test("is verified by minisign with the key that installers know, and with no other", async () => {
    writeFileSync(sums, "0  peyk\n");
    await Bun.spawn(["minisign", "-G", "-W", "-s", keys.secret, "-p", keys.public], {
      stdio: ["ignore", "ignore", "ignore"],
    }).exited;
    const [, known = ""] = readFileSync(keys.public, "utf8").split("\n");
    expect(await sign(sums, keys.secret, "peyk 1.2.3", known)).toBe("peyk 1.2.3");
    await expect(sign(sums, keys.secret, "peyk 1.2.3", publicKey)).rejects.toThrow("made by another key");
    await expect(sign(sums, keys.secret, "peyk 1.2.3", "")).rejects.toThrow("install.sh names no release key");
  });
});
