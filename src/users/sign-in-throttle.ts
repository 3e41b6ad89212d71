/** Slows down whoever guesses passwords, by user and address together and by address alone: a user elsewhere is never locked out. */
import { clientOf } from "../domain/client-address.ts";
import { dropOldest } from "../platform/drop-oldest.ts";

interface Failures {
  count: number;
  /** Of a clock that never goes back, in milliseconds. */
  last: number;
}

const freeFailures = 5;
const freeFailuresOfAddress = 20;
const firstWaitMs = 1_000;
const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 60 * 60_000;
/** Oldest out first: the memory must not grow with guesses. */
const keptMax = 10_000;

export class SignInThrottle {
  readonly #clock: { monotonic(): number };
  readonly #failures = new Map<string, Failures>();

  constructor(clock: { monotonic(): number }) {
    this.#clock = clock;
  }

  /** How long the next try must wait, in milliseconds; 0 for at once. */
  waitMs(user: string, address: string): number {
    const client = clientOf(address);
    return Math.max(this.#waitOf(pair(user, client), freeFailures), this.#waitOf(client, freeFailuresOfAddress));
  }

  /** The same for whoever it is at this address: less than another user there may have to wait. */
  waitMsAt(address: string): number {
    return this.#waitOf(clientOf(address), freeFailuresOfAddress);
  }

  failed(user: string, address: string): void {
    const client = clientOf(address);
    for (const key of [pair(user, client), client]) {
      const count = (this.#current(key)?.count ?? 0) + 1;
      this.#failures.delete(key);
      this.#failures.set(key, { count, last: this.#clock.monotonic() });
    }
    dropOldest(this.#failures, keptMax);
  }

  succeeded(user: string, address: string): void {
    const client = clientOf(address);
    this.#failures.delete(pair(user, client));
    const ofAddress = this.#failures.get(client);
    if (ofAddress !== undefined) ofAddress.count -= 1;
  }

  #current(key: string): Failures | undefined {
    const failures = this.#failures.get(key);
    const isOld = failures !== undefined && this.#clock.monotonic() - failures.last > forgottenAfterMs;
    return isOld ? undefined : failures;
  }

  #waitOf(key: string, free: number): number {
    const failures = this.#current(key);
    if (failures === undefined || failures.count < free) return 0;
    const wait = Math.min(firstWaitMs * 2 ** Math.min(failures.count - free, 20), longestWaitMs);
    return Math.max(0, failures.last + wait - this.#clock.monotonic());
  }
}

/** No user has a longer name; a guess of one takes no more memory. */
const nameLengthMax = 64;

const pair = (user: string, client: string) => `${user.slice(0, nameLengthMax)}\n${client}`;
