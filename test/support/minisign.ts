/** Makes keys and signatures in minisign's format, for installers that must verify them without minisign installed. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

export interface SigningKey {
  /** In the format of the second line of minisign's public key file. */
  publicKey: string;
  /** Writes `<file>.minisig`. */
  sign(file: string): void;
}

export function createSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const number = randomBytes(8);
  const base64 = (...fields: (Buffer | string)[]) =>
    Buffer.concat(fields.map((field) => Buffer.from(field))).toString("base64");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return {
    publicKey: base64("Ed", number, raw),
    sign(file) {
      const comment = "made by a test";
      const signature = sign(null, createHash("blake2b512").update(readFileSync(file)).digest(), privateKey);
      const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
      const lines = [
        "untrusted comment: a test",
        base64("ED", number, signature),
        `trusted comment: ${comment}`,
        base64(whole),
      ];
      writeFileSync(`${file}.minisig`, `${lines.join("\n")}\n`);
    },
  };
}
