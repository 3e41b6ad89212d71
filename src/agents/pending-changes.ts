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

  /** The same request again is the same change. Null: the token has too many. */
  add(asked: Omit<PendingChange, "id" | "expiresAt" | "state">): PendingChange | null {
    this.#forgetOld();
    const ofToken = [...this.#byId.values()].filter(({ tokenId }) => tokenId === asked.tokenId);
    const isSame = ({ name, input, state }: PendingChange) =>
      state.kind === "waiting" && name === asked.name && Bun.deepEquals(input, asked.input);
    const known = ofToken.find(isSame);
    if (known !== undefined) return known;
    const waiting = ofToken.filter(({ state }) => state.kind === "waiting");
    if (waiting.length >= pendingOfTokenMax || this.#byId.size >= pendingMax) return null;
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
