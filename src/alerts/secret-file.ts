/** Secrets of channels: read when they are used, so that one that is replaced counts at once. */
import { readFileSync } from "node:fs";
import { fileFailure } from "../platform/error-code.ts";

/** The file's only line. Throws with words for the operator. */
export function readSecretFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (reason) {
    throw new Error(`${path} cannot be read: ${fileFailure(reason)}`);
  }
  if (text === "") throw new Error(`${path} is empty`);
  return text;
}
