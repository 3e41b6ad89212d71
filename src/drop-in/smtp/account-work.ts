/** Limits what the mail of one account may take from the event loop, whatever becomes of it. */
import { type Clock, sleep } from "../../platform/clock.ts";
import type { LoopTurns } from "../../platform/loop-turns.ts";
import { Bucket } from "../../platform/rate-per-second.ts";

/**
 * Octets of commands that send nothing: NOOP, refused recipients, refused mails. What led to an accepted mail is given
 * back.
 */
const idleOctets = { perSecond: 8 * 1024, most: 64 * 1024 };
/**
 * Milliseconds of processor time. Mails of one account at full speed took 23 % of the thread from everybody else, and
 * clients of SMTP wait for an answer patiently.
 */
const workMs = { perSecond: 50, most: 250 };

/** What work is reckoned at, measured with small mails: the rest of a mail is that of the dialogue, and of storing it. */
export const mailCosts = { commandMs: 0.1, mailMs: 0.3, octetMs: 8 / (1024 * 1024) };

export class AccountWork {
  readonly #clock: Pick<Clock, "monotonic" | "after">;
  readonly #turns: LoopTurns;
  readonly #accountId: number;
  readonly #idle: Bucket;
  readonly #work: Bucket;

  constructor(clock: Pick<Clock, "monotonic" | "after">, turns: LoopTurns, accountId: number) {
    this.#clock = clock;
    this.#turns = turns;
    this.#accountId = accountId;
    const nowMs = clock.monotonic();
    this.#idle = new Bucket(idleOctets.perSecond, nowMs, idleOctets.most);
    this.#work = new Bucket(workMs.perSecond, nowMs, workMs.most);
  }

  /** Counts octets that send nothing so far. False: they were too many. */
  mayIdle(octets: number): boolean {
    return this.#idle.take(octets, this.#clock.monotonic()) === 0;
  }

  /** A negative number takes more. */
  giveBackIdle(octets: number): void {
    this.#idle.giveBack(octets);
  }

  /** Resolves in the account's turn, once work that takes so long is within its share. */
  async turn(ms: number): Promise<void> {
    const waitMs = this.#work.spend(ms, this.#clock.monotonic());
    if (waitMs > 0) await sleep(this.#clock, waitMs);
    await this.#turns.next(this.#accountId);
  }

  /** Counts work that was done: what comes next waits for it. */
  done(ms: number): void {
    this.#work.giveBack(-ms);
  }
}
