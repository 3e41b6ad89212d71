/** Verifies a signature in the format of minisign (https://jedisct1.github.io/minisign/): Ed25519 over the BLAKE2b-512 of a file. */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";

/** The content was not signed by this key, or the signature or key has an unknown format; the message says which. */
export class SignatureWrong extends Error {
  override readonly name = "SignatureWrong";
}

/** Precedes the key's number in a public key; minisign writes the same letters before signatures of its old format. */
const algorithm = "Ed";
/** Precedes the key's number in a signature over the hash. */
const hashedAlgorithm = "ED";
const numberBytes = 8;
const keyBytes = 32;
const signatureBytes = 64;
/** Precedes the 32 bytes in the DER of an Ed25519 public key (RFC 8410). */
const derPrefix = Buffer.from("302a300506032b6570032100", "hex");

/**
 * @param publicKey the second line of minisign's public key file
 * @param signature the text of the `.minisig` file
 * @returns the trusted comment
 * @throws SignatureWrong
 */
export function verifyMinisign(publicKey: string, signature: string, content: Uint8Array): string {
  const key = fieldsOf(publicKey, algorithm, keyBytes, "The public key");
  const [, main = "", commentLine = "", comments = ""] = signature.split("\n");
  const signed = fieldsOf(main, hashedAlgorithm, signatureBytes, "The signature");
  if (!signed.number.equals(key.number)) throw new SignatureWrong("It was made by another key.");
  const ed25519 = createPublicKey({ key: Buffer.concat([derPrefix, key.value]), format: "der", type: "spki" });
  const hash = createHash("blake2b512").update(content).digest();
  if (!isSigned(ed25519, hash, signed.value)) throw new SignatureWrong("The content is not what was signed.");
  const comment = /^trusted comment: (.*)$/.exec(commentLine.trimEnd())?.[1];
  if (comment === undefined) throw new SignatureWrong("The signature has no trusted comment.");
  const commented = Buffer.concat([signed.value, Buffer.from(comment)]);
  const whole = Buffer.from(comments.trim(), "base64");
  if (!isSigned(ed25519, commented, whole)) throw new SignatureWrong("Its trusted comment is not what was signed.");
  return comment;
}

function isSigned(key: KeyObject, content: Buffer, signature: Buffer): boolean {
  return signature.length === signatureBytes && verify(null, content, key, signature);
}

/** The algorithm's letters, the key's number, and the key or signature, in base64. */
function fieldsOf(line: string, letters: string, valueBytes: number, name: string): { number: Buffer; value: Buffer } {
  const bytes = Buffer.from(line.trim(), "base64");
  const start = letters.length + numberBytes;
  if (bytes.length !== start + valueBytes || bytes.toString("latin1", 0, letters.length) !== letters) {
    throw new SignatureWrong(`${name} is not in minisign's format (${letters}).`);
  }
  return { number: bytes.subarray(letters.length, start), value: bytes.subarray(start) };
}
