/** The test vectors of docs/verify-signature.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface SignatureVector {
  what: string;
  secret: string;
  timestamp: string;
  now: number;
  signature: string;
  body: string;
  valid: boolean;
}

export function signatureVectors(): SignatureVector[] {
  const page = readFileSync(join(import.meta.dir, "..", "..", "docs", "verify-signature.md"), "utf8");
  const [, json = ""] = /## Test vectors[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  return JSON.parse(json);
}
