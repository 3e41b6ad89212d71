/** Session tokens, which prove whose session it was even after it has ended and nothing of it is stored. */
import { timingSafeEqual } from "node:crypto";
import type { KeyedHash } from "../platform/keyed-hash.ts";
import type { Random } from "../platform/random.ts";

/** The purpose that the key is derived for. */
export const sessionTokenPurpose = "tokens of sessions";

/** In this order: random bytes, the user's id, and the proof that we issued both. */
const [secretBytes, userBytes, proofBytes] = [16, 4, 12];
const tokenBytes = secretBytes + userBytes + proofBytes;

export interface SessionTokensDeps {
  random: Pick<Random, "bytes">;
  tokenProof: KeyedHash;
}

export class SessionTokens {
  readonly #deps: SessionTokensDeps;

  constructor(deps: SessionTokensDeps) {
    this.#deps = deps;
  }

  forUser(userId: number): string {
    const user = Buffer.alloc(userBytes);
    user.writeUInt32BE(userId);
    const said = Buffer.concat([this.#deps.random.bytes(secretBytes), user]);
    return Buffer.concat([said, this.#proofOf(said)]).toString("base64url");
  }

  /** Null if it is not one of our tokens. Being one does not authenticate anybody. */
  userOf(token: string): number | null {
    if (token.length !== Math.ceil((tokenBytes * 4) / 3)) return null;
    const bytes = Buffer.from(token, "base64url");
    if (bytes.length !== tokenBytes) return null;
    const said = bytes.subarray(0, secretBytes + userBytes);
    return timingSafeEqual(bytes.subarray(said.length), this.#proofOf(said)) ? said.readUInt32BE(secretBytes) : null;
  }

  #proofOf(said: Uint8Array): Buffer {
    return this.#deps.tokenProof.hash(said).subarray(0, proofBytes);
  }
}
