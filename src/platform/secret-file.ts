/** Secrets in files: read on each use, so that a replaced file takes effect at once. */
import { readFileSync } from "node:fs";
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
