/** Seals secrets that must be readable again (signing secrets, SMPP passwords): AES-256-GCM with a key file. */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "./durable-file.ts";
import { type Random, systemRandom } from "./random.ts";

/** The key file cannot be used; the message says which file and what to do. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

export interface Sealer {
  seal(plain: string): Uint8Array;
  /** Throws if the bytes were sealed with another key or have been changed. */
  open(sealed: Uint8Array): string;
}

export const keyFileName = "secret.key";
const keyBytes = 32;
/** A new random nonce for every seal, as GCM requires (NIST SP 800-38D). */
const nonceBytes = 12;
const tagBytes = 16;
/** Distinguishes this format from later ones. */
const version = 1;

/**
 * The key from systemd's credentials if there is one, otherwise from the data folder, where the first start creates it.
 * `isNeeded` says whether sealed data exists already: then a missing key is an error, because a new one would be
 * useless.
 */
export function loadKeys(
  dataFolder: string,
  credentialsFolder: string | undefined,
  isNeeded: () => boolean,
  random: Pick<Random, "bytes"> = systemRandom,
): KeyFile {
  const credential = credentialsFolder === undefined ? null : join(credentialsFolder, keyFileName);
  if (credential !== null && existsSync(credential)) return readKeys(credential);
  const path = join(dataFolder, keyFileName);
  if (!existsSync(path)) {
    if (isNeeded()) {
      throw new KeyFileError(
        `The key file ${path} is missing, and the database holds what it sealed. Put it back from your backup.`,
      );
    }
    // On disk before it seals anything.
    writeDurably(path, keyFileText([newKey(random)]));
  }
  return readKeys(path);
}

/** The keys of a key file, newest last. There are two only while it is being rotated. */
export type KeyFile = readonly [Uint8Array, ...Uint8Array[]];

export const newKey = (random: Pick<Random, "bytes"> = systemRandom): Uint8Array => random.bytes(keyBytes);

export const keyFileText = (keys: readonly Uint8Array[]): string =>
  keys.map((key) => `${Buffer.from(key).toString("hex")}\n`).join("");

export function readKeys(path: string): KeyFile {
  if (statSync(path).isDirectory()) throw new KeyFileError(`The key file ${path} cannot be read: it is a folder.`);
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const [first, ...rest] = lines.map((line) => Buffer.from(line, "hex"));
  if (first === undefined || lines.length > 2 || !lines.every((line) => /^[0-9a-f]{64}$/i.test(line))) {
    throw new KeyFileError(`The key file ${path} must hold 64 hexadecimal digits. Restore it from your backup.`);
  }
  return [first, ...rest];
}

/** Seals with the newest key, and opens what any of the keys sealed. */
export function createSealer(...keys: KeyFile): Sealer {
  return sealerWith(systemRandom, keys);
}

/** Like `createSealer`, with nonces from `random`. */
export function sealerWith(random: Pick<Random, "bytes">, keys: KeyFile): Sealer {
  const [newest, ...others] = keys.toReversed().map((key) => sealerOf(key, random));
  if (newest === undefined) throw new Error("A sealer needs a key");
  if (others.length === 0) return newest;
  return {
    seal: newest.seal,
    open: (sealed) => ([newest, ...others].find((sealer) => opensAll(sealer, [sealed])) ?? newest).open(sealed),
  };
}

function sealerOf(key: Uint8Array, random: Pick<Random, "bytes">): Sealer {
  return {
    seal(plain) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== version) throw new KeyFileError("A sealed secret has an unknown format.");
      const nonce = bytes.subarray(1, 1 + nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes));
      try {
        const content = bytes.subarray(1 + nonceBytes + tagBytes);
        return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
      } catch (reason) {
        throw new KeyFileError("A sealed secret cannot be opened: the key file is not the one it was sealed with.", {
          cause: reason,
        });
      }
    },
  };
}

/** True if all were sealed with one of its keys. */
export function opensAll(sealer: Sealer, secrets: readonly Uint8Array[]): boolean {
  try {
    for (const sealed of secrets) sealer.open(sealed);
    return true;
  } catch (reason) {
    if (reason instanceof KeyFileError) return false;
    throw reason;
  }
}
