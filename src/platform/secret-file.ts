/** Secrets in files of their own: read when they are used, so that one that is replaced counts at once. */
import { readFileSync } from "node:fs";
import { fileFailure } from "./error-code.ts";

/** The words say which file and why. */
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
