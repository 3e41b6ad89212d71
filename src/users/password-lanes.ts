/**
 * Limits the work on passwords: a short queue per listener, so that strangers at the portal cannot lock anybody out of
 * the console.
 */
import { isCustomerRole, type Role } from "../domain/roles.ts";

export type PasswordLane = "console" | "portal";

export interface PasswordAsker {
  lane: PasswordLane;
  /** The client whose turns are counted together. */
  client: string;
  /** Has neither a session nor a link: the number of waiting strangers is limited. */
  isStranger: boolean;
}

/** The portal's lane is where customers sign in. */
export const laneOf = (admits: (role: Role) => boolean): PasswordLane => (admits("customer") ? "portal" : "console");

/** A user with a session or a link. */
export const askerOf = ({ id, role }: { id: number; role: Role }): PasswordAsker => ({
  lane: isCustomerRole(role) ? "portal" : "console",
  client: `user ${id}`,
  isStranger: false,
});

/** Each takes a tenth of a second, so the last one waits about a second. */
export const waitingMax = 8;
/** Running or waiting, per client, so that others get their turn too. */
export const ofClientMax = 4;
const retryAfterMs = 1_000;

/** As many passwords are being checked as allowed: nothing was done. */
export class PasswordsBusy extends Error {
  override readonly name = "PasswordsBusy";
  readonly waitMs = retryAfterMs;
}

/** One at a time, in order. */
class Lane {
  #isRunning = false;
  readonly #waiting: (() => void)[] = [];
  readonly #ofClient = new Map<string, number>();

  async run<T>({ client, isStranger }: PasswordAsker, work: () => Promise<T>): Promise<T> {
    const count = this.#ofClient.get(client) ?? 0;
    const isFull = isStranger && this.#waiting.length >= waitingMax;
    if (isFull || count >= ofClientMax) throw new PasswordsBusy();
    this.#ofClient.set(client, count + 1);
    if (this.#isRunning) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      this.#isRunning = false;
      this.#leave(client);
    }
  }

  #leave(client: string): void {
    const left = (this.#ofClient.get(client) ?? 1) - 1;
    if (left === 0) this.#ofClient.delete(client);
    else this.#ofClient.set(client, left);
    const next = this.#waiting.shift();
    if (next === undefined) return;
    // Newcomers must not overtake.
    this.#isRunning = true;
    next();
  }
}

export class PasswordLanes {
  readonly #lanes: Readonly<Record<PasswordLane, Lane>> = { console: new Lane(), portal: new Lane() };

  /** @throws PasswordsBusy, and whatever `work` throws. */
  run<T>(asker: PasswordAsker, work: () => Promise<T>): Promise<T> {
    return this.#lanes[asker.lane].run(asker, work);
  }
}
