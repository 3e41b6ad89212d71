/**
 * Links by which the operator's own site signs its customer in: good once, for a minute, for one user. In memory: a
 * restart ends them, and a minute later there is nothing to keep.
 */
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";
import { newToken, tokenHash } from "./token.ts";

export const portalLinkMs = 60_000;
/** The oldest ends when there are more. */
export const portalLinksMax = 10_000;

interface Link {
  userId: number;
  expiresAt: number;
}

export class PortalLinks {
  readonly #deps: { clock: Pick<Clock, "now">; random: Random };
  /** By hash, the oldest first: a token itself is kept nowhere. */
  readonly #links = new Map<string, Link>();

  constructor(deps: { clock: Pick<Clock, "now">; random: Random }) {
    this.#deps = deps;
  }

  create(userId: number): { token: string; expiresAt: number } {
    const token = newToken(this.#deps.random);
    const expiresAt = this.#deps.clock.now() + portalLinkMs;
    this.#links.set(keyOf(token), { userId, expiresAt });
    for (const [key, link] of this.#links) {
      if (this.#links.size <= portalLinksMax && link.expiresAt > this.#deps.clock.now()) break;
      this.#links.delete(key);
    }
    return { token, expiresAt };
  }

  /** Whose it is; looking does not use it up. Null if it was used, has expired or never was. */
  userIdOf(token: string): number | null {
    const link = this.#links.get(keyOf(token));
    const leftMs = (link?.expiresAt ?? 0) - this.#deps.clock.now();
    // A clock that was set back makes no link last longer.
    return link === undefined || leftMs <= 0 || leftMs > portalLinkMs ? null : link.userId;
  }

  /** The same, and it is used up. */
  take(token: string): number | null {
    const userId = this.userIdOf(token);
    this.#links.delete(keyOf(token));
    return userId;
  }

  /** Those of a user who was reset or may no longer sign in. */
  endOf(userId: number): void {
    for (const [key, link] of this.#links) if (link.userId === userId) this.#links.delete(key);
  }
}

const keyOf = (token: string): string => tokenHash(token).toString("base64");
