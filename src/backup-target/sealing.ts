/**
 * Copies are sealed as age does (https://age-encryption.org/v1): for a public key, in chunks of 64 KiB that are each
 * authenticated. What opens them is not on this machine; the program `age` opens them, too.
 */
import { TargetFailed } from "./refusal.ts";

const age = () => import("age-encryption");
type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

export async function newTargetKey(): Promise<{ secretKey: string; publicKey: string }> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const secretKey = await generateX25519Identity();
  return { secretKey, publicKey: await identityToRecipient(secretKey) };
}

export async function sealed(plain: Bytes, publicKey: string): Promise<ReadableStream<Uint8Array>> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(publicKey);
  } catch {
    throw new TargetFailed("backup_target.public_key is no key: a character of it is wrong.");
  }
  return encrypter.encrypt(plain);
}

/** Each piece is authentic when it comes; that it is all is only known at the end. */
export async function opened(content: Bytes, secretKey: string): Promise<ReadableStream<Uint8Array>> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(secretKey);
    return await decrypter.decrypt(content);
  } catch (reason) {
    if (reason instanceof TargetFailed) throw reason;
    throw new TargetFailed("It cannot be opened: the copy was sealed for another key, or is not what Peyk uploaded.");
  }
}
