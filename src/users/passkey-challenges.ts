/**
 * What passkeys sign: each challenge is good once, for five minutes, in the network that asked for it. In memory: a
 * restart ends them, and whoever was just signing in tries again.
 */
import { clientOf } from "../domain/client-address.ts";
import { dropOldest } from "../platform/drop-oldest.ts";
import type { Random } from "../platform/random.ts";

export const challengeMs = 5 * 60_000;
/** Of one network, and networks in all; the oldest end when there are more. */
export const challengesOfClientMax = 64;
export const challengeClientsMax = 1_024;
const challengeBytes = 32;

export class PasskeyChallenges<Asked> {
  readonly #deps: { clock: { monotonic(): number }; random: Pick<Random, "bytes"> };
  /** By network and challenge; the last that asked is at the end. */
  readonly #open = new Map<string, Map<string, { asked: Asked; until: number }>>();

  constructor(deps: { clock: { monotonic(): number }; random: Pick<Random, "bytes"> }) {
    this.#deps = deps;
  }

  create(address: string, asked: Asked): string {
    const client = clientOf(address);
    const ofClient = this.#open.get(client) ?? new Map();
    const challenge = Buffer.from(this.#deps.random.bytes(challengeBytes)).toString("base64url");
    ofClient.set(challenge, { asked, until: this.#deps.clock.monotonic() + challengeMs });
    dropOldest(ofClient, challengesOfClientMax);
    this.#open.delete(client);
    this.#open.set(client, ofClient);
    dropOldest(this.#open, challengeClientsMax);
    return challenge;
  }

  /** Ends it. Null if it was used, has expired or never was. */
  take(address: string, challenge: string): Asked | null {
    const ofClient = this.#open.get(clientOf(address));
    const open = ofClient?.get(challenge);
    ofClient?.delete(challenge);
    return open === undefined || open.until <= this.#deps.clock.monotonic() ? null : open.asked;
  }
}
