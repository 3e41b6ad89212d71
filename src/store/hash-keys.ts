/** Hash keys that outlive the key file they were derived from. */
import { eq } from "drizzle-orm";
import type { Drizzle } from "./drizzle.ts";
import { hashKey } from "./schema.ts";

export class HashKeyTable {
  readonly #drizzle: Drizzle;

  constructor(drizzle: Drizzle) {
    this.#drizzle = drizzle;
  }

  /** Null while the first key file is in use: the key is derived from it. */
  sealed(purpose: string): Uint8Array | null {
    return this.#drizzle.select().from(hashKey).where(eq(hashKey.purpose, purpose)).get()?.sealed ?? null;
  }
}
