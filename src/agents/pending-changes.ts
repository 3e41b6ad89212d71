/**
 * Changes that a program asked for and a person has to confirm. They are kept in memory: after a restart the program
 * asks again.
 */

import type { Fields } from "../operator/operation.ts";
import type { DescribedChange } from "../operator/perform.ts";
import type { Clock } from "../platform/clock.ts";
import type { Random } from "../platform/random.ts";

export const pendingMs = 3_600_000;
export const pendingOfTokenMax = 20;
/** With those that ended within the hour. */
export const pendingOfHolderMax = 100;
const pendingMax = 1_000;

export type PendingState =
  | { kind: "waiting" }
  | { kind: "running" }
  | { kind: "rejected" }
  | { kind: "done"; answer: unknown }
  | { kind: "failed"; code: string; message: string };

export interface PendingChange {
  id: string;
  tokenId: number;
  /** As of `holderOf`. */
  holder: string;
  userId: number;
  name: string;
  input: Fields;
  change: DescribedChange;
  /** What it would do, as it was when the program asked. */
  would: readonly unknown[];
  expiresAt: number;
  state: PendingState;
}

export class PendingChanges {
  readonly #clock: Pick<Clock, "now">;
  readonly #random: Random;
  /** Oldest first. */
  readonly #byId = new Map<string, PendingChange>();

  constructor({ clock, random }: { clock: Pick<Clock, "now">; random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The same request again is the same change. Null: the token or its holder has too many. */
  add(asked: Omit<PendingChange, "id" | "expiresAt" | "state">): PendingChange | null {
    this.#forgetOld();
    const ofHolder = [...this.#byId.values()].filter(({ holder }) => holder === asked.holder);
    const waiting = ofHolder.filter(({ tokenId, state }) => tokenId === asked.tokenId && state.kind === "waiting");
    const known = waiting.find(({ name, input }) => name === asked.name && Bun.deepEquals(input, asked.input));
    if (known !== undefined) return known;
    const isFull = waiting.length >= pendingOfTokenMax || ofHolder.length >= pendingOfHolderMax;
    if (isFull || this.#byId.size >= pendingMax) return null;
    const id = Buffer.from(this.#random.bytes(16)).toString("base64url");
    const pending: PendingChange = {
      ...asked,
      id,
      expiresAt: this.#clock.now() + pendingMs,
      state: { kind: "waiting" },
    };
    this.#byId.set(id, pending);
    return pending;
  }

  find(id: string): PendingChange | null {
    this.#forgetOld();
    return this.#byId.get(id) ?? null;
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    for (const [id, { expiresAt }] of this.#byId) if (expiresAt <= now) this.#byId.delete(id);
  }
}
