/** The key that identifies repeats of a request: an Idempotency-Key header, or the field that its credential names. */
import type { DropInOptions, RequestKeyPlace } from "../domain/drop-in-credential.ts";
import { isIdempotencyKey } from "../domain/idempotency.ts";
import { type DropInRefusal, refuse } from "./refusal.ts";

/** Reads one field of a request; null if it is missing or empty. */
export type FieldReaders = Readonly<Partial<Record<RequestKeyPlace, (name: string) => string | null>>>;

/** Allows the long ids of programs that join several; the key itself is stored as a hash. */
const keyCharactersMax = 500;

/** Null: every request is new. */
export function requestKeyOf({ key }: DropInOptions, read: FieldReaders): { value: string } | DropInRefusal | null {
  const named = key === null ? null : (read[key.from]?.(key.name) ?? null);
  if (named !== null && named !== "") {
    if (named.length <= keyCharactersMax) return { value: named };
    return refuse("key_invalid", `The field that is the key may have at most ${keyCharactersMax} characters.`);
  }
  const header = read.header?.("Idempotency-Key") ?? null;
  if (header === null || header === "") return null;
  if (isIdempotencyKey(header)) return { value: header };
  return refuse(
    "key_invalid",
    "The Idempotency-Key is longer than 100 characters, not printable ASCII, or there twice.",
  );
}
