/** Randomness behind an interface, so that tests can make it repeatable. */
import { randomBytes, randomUUID } from "node:crypto";

export interface Random {
  /** `count` bytes from a cryptographic generator. */
  bytes(count: number): Uint8Array;
  /** A version 4 UUID (RFC 9562). */
  uuid(): string;
  /** A number in [0, 1), for jitter; never for secrets. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  uuid: () => randomUUID(),
  fraction: () => Math.random(),
};
