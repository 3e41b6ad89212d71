/**
 * Slows down guessing of passwords and codes. Passwords count per user and client together and per client alone, so
 * that nobody can lock a user out from elsewhere; codes, which are only asked for after the password, also count per
 * user.
 */
import { clientOf } from "../domain/client-address.ts";
import { dropOldest } from "../platform/drop-oldest.ts";

/** This many failures are free; after that each wait is twice the previous one. */
interface Pace {
  free: number;
  longestWaitMs: number;
}

const longestWaitMs = 15 * 60_000;
const paceOfUser: Pace = { free: 5, longestWaitMs };
const paceOfClient: Pace = { free: 20, longestWaitMs };
const paceOfCodes: Pace = { free: 10, longestWaitMs };
/** Short: guesses from thousands of networks must not keep everybody else out for a quarter of an hour. */
const paceOfStrangers: Pace = { free: 20, longestWaitMs: 10_000 };
const firstWaitMs = 1_000;
const forgottenAfterMs = 60 * 60_000;

/** Memory must not grow with guesses, nor must guesses push out entries. */
export const failedClientsMax = 10_000;
/**
 * Clients from which a user signed in correctly: nobody can turn others into strangers by signing in from very many
 * networks.
 */
export const rightClientsMax = 32;
/** Per client: far more than it can try before it must wait. */
const usersOfClientMax = 64;
/** No user has a longer name, and a guessed one uses no more memory. */
const nameLengthMax = 64;

/** Times are in milliseconds of a monotonic clock. */
class Failures {
  #count = 0;
  #last = Number.NEGATIVE_INFINITY;
  #lastTry: symbol | null = null;

  waitMs(now: number, { free, longestWaitMs }: Pace): number {
    if (this.isForgotten(now) || this.#count < free) return 0;
    const wait = Math.min(firstWaitMs * 2 ** Math.min(this.#count - free, 20), longestWaitMs);
    return Math.max(0, this.#last + wait - now);
  }

  /** Returns a function that undoes it completely. */
  add(now: number): () => void {
    if (this.isForgotten(now)) this.#count = 0;
    const [before, added] = [this.#last, Symbol()];
    this.#count += 1;
    this.#last = now;
    this.#lastTry = added;
    return () => {
      this.#count = Math.max(0, this.#count - 1);
      if (this.#lastTry === added) this.#last = before;
    };
  }

  isForgotten(now: number): boolean {
    return now - this.#last > forgottenAfterMs;
  }
}

class Client {
  readonly all = new Failures();
  readonly byUser = new Map<string, Failures>();

  ofUser(user: string): Failures {
    const failures = this.byUser.get(user) ?? new Failures();
    this.byUser.set(user, failures);
    dropOldest(this.byUser, usersOfClientMax);
    return failures;
  }
}

/** Counts as a failure from the start: concurrent guesses must not all count as the first. */
export interface CountedTry {
  /** How long it must wait, in milliseconds; then it was not counted. 0 for at once. */
  waitMs: number;
  /** Call if it was right. */
  wasRight(): void;
  /** Call if nothing was checked after all. */
  wasNotMade(): void;
}

/** Makes the attempt; one that throws does not count. */
export async function triedWith<T>(counted: CountedTry, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    counted.wasNotMade();
    throw reason;
  }
}

export class SignInThrottle {
  readonly #clock: { monotonic(): number };
  /** The most recent failures are at the end. */
  readonly #failed = new Map<string, Client>();
  /** By user, the clients from which each signed in correctly: they are not strangers. */
  readonly #right = new Map<string, Set<string>>();
  /** All new clients, while the memory is full of others. */
  readonly #strangers = new Failures();
  readonly #codes = new Map<number, Failures>();

  constructor(clock: { monotonic(): number }) {
    this.#clock = clock;
  }

  /** The user has signed in from this address. */
  remember(user: string, address: string): void {
    this.#wasRight(user, clientOf(address));
  }

  /** How long any attempt from this address must wait. An attempt for a particular user may have to wait longer. */
  waitMsAt(address: string): number {
    return this.#waitMsOf(clientOf(address));
  }

  password(user: string, address: string): CountedTry {
    const [key, name, now] = [clientOf(address), user.slice(0, nameLengthMax), this.#clock.monotonic()];
    const ofUser = this.#failed.get(key)?.byUser.get(name)?.waitMs(now, paceOfUser) ?? 0;
    const waitMs = Math.max(ofUser, this.#waitMsOf(key));
    if (waitMs > 0) return mustWait(waitMs);
    const client = this.#counting(key);
    const takeBack = (client?.all ?? this.#strangers).add(now);
    const takeBackOfUser = client?.ofUser(name).add(now);
    return {
      waitMs: 0,
      wasRight: () => {
        takeBack();
        client?.byUser.delete(name);
        this.#wasRight(name, key);
      },
      wasNotMade: () => {
        takeBack();
        takeBackOfUser?.();
        this.#dropUnfailed(key);
      },
    };
  }

  /** An attempt at a second-factor code. */
  code({ id, name }: { id: number; name: string }, address: string): CountedTry {
    const [key, now] = [clientOf(address), this.#clock.monotonic()];
    const codes = this.#codes.get(id) ?? new Failures();
    const waitMs = Math.max(codes.waitMs(now, paceOfCodes), this.#waitMsOf(key));
    if (waitMs > 0) return mustWait(waitMs);
    this.#codes.set(id, codes);
    const client = this.#counting(key);
    const takenBack = [codes.add(now), (client?.all ?? this.#strangers).add(now)];
    const wasNotMade = () => {
      for (const takeBack of takenBack) takeBack();
      this.#dropUnfailed(key);
    };
    return {
      waitMs: 0,
      wasRight: () => {
        wasNotMade();
        this.#wasRight(name, key);
      },
      wasNotMade,
    };
  }

  #waitMsOf(key: string): number {
    const now = this.#clock.monotonic();
    const client = this.#failed.get(key);
    if (client !== undefined) return client.all.waitMs(now, paceOfClient);
    return this.#hasRoomFor(key, now) ? 0 : this.#strangers.waitMs(now, paceOfStrangers);
  }

  /** The entry that an attempt of the client counts under; null: with the strangers. */
  #counting(key: string): Client | null {
    const failed = this.#failed.get(key);
    if (failed === undefined && !this.#hasRoomFor(key, this.#clock.monotonic())) return null;
    const client = failed ?? new Client();
    this.#failed.delete(key);
    this.#failed.set(key, client);
    return client;
  }

  #hasRoomFor(key: string, now: number): boolean {
    if (this.#failed.size < failedClientsMax) return true;
    for (const [oldest, { all }] of this.#failed) {
      if (!all.isForgotten(now)) break;
      this.#failed.delete(oldest);
    }
    return this.#failed.size < failedClientsMax || this.#right.values().some((clients) => clients.has(key));
  }

  #wasRight(user: string, key: string): void {
    const clients = this.#right.get(user) ?? new Set();
    clients.delete(key);
    clients.add(key);
    dropOldest(clients, rightClientsMax);
    this.#right.set(user, clients);
    this.#dropUnfailed(key);
  }

  /** A failure that was undone leaves nothing to remember. */
  #dropUnfailed(key: string): void {
    if (this.#failed.get(key)?.all.isForgotten(this.#clock.monotonic()) === true) this.#failed.delete(key);
  }
}

const mustWait = (waitMs: number): CountedTry => ({ waitMs, wasRight: refuse, wasNotMade: refuse });

function refuse(): never {
  throw new Error("A try that had to wait was made");
}
