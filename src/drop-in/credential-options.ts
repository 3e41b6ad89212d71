/** A credential's options, parsed once. */
import { type DropInOptions, readDropInOptions } from "../domain/drop-in-credential.ts";
import type { CustomerCredential } from "../messaging/directory/credential-directory.ts";

/** Cached by identity: a changed credential is a new object. */
const parsed = new WeakMap<CustomerCredential, DropInOptions>();

export function dropInOptions(credential: CustomerCredential): DropInOptions {
  const known = parsed.get(credential) ?? readDropInOptions(credential.options);
  parsed.set(credential, known);
  return known;
}
