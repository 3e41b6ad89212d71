/** Secrets in files: read on each use, so that a replaced file takes effect at once. */
import { readFileSync, statSync } from "node:fs";
import { fileFailure } from "./error-code.ts";

/** The message says which file and why. */
export class SecretFileUnusable extends Error {
  override readonly name = "SecretFileUnusable";
}

/** The file's only line. @throws SecretFileUnusable */
export function readSecretFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (reason) {
    throw new SecretFileUnusable(`${path} cannot be read: ${fileFailure(reason)}`);
  }
  if (text === "") throw new SecretFileUnusable(`${path} is empty`);
  return text;
}

/** A group may read it, as the service's user may be in one. */
const byOthers = 0o007;

/** Like `readSecretFile`, but not one that every user of the machine may read or change. @throws SecretFileUnusable */
export function readPrivateFile(path: string): string {
  const text = readSecretFile(path);
  if ((statSync(path).mode & byOthers) === 0) return text;
  throw new SecretFileUnusable(
    `every user of this machine may read or change ${path}, which holds a secret: chmod o= ${path}`,
  );
}
