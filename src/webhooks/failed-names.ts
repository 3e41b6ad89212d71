/** Asks once in a while about names that did not resolve, however many callbacks are due there. */
import { dropOldest } from "../platform/drop-oldest.ts";
import { attemptMsMax } from "./attempt.ts";
import type { Resolver } from "./resolver.ts";

const firstMs = 5_000;
const waitMsMax = 60_000;
/** A credential's callbacks have at most a hundred origins. */
const namesMax = 10_000;

/** Joined by whoever asks within the time of an attempt, after which nobody waits for it any more. */
interface Question {
  answer: Promise<readonly string[]>;
  askedAt: number;
}

interface Failure {
  /** Gives the same answer again. */
  repeat(): Promise<readonly string[]>;
  waitMs: number;
  /** Monotonic. */
  askAt: number;
}

/**
 * Repeats the answer of a name that has no address, or that the name server failed to tell, for 5 s, and for twice as
 * long each time up to a minute. Answers with addresses are not kept. A name is asked about once at a time.
 */
export class FailedNames implements Resolver {
  /** The one that failed longest ago first. */
  readonly #failures = new Map<string, Failure>();
  readonly #questions = new Map<string, Question>();

  constructor(
    private readonly resolver: Resolver,
    private readonly clock: { monotonic(): number },
  ) {}

  resolve(name: string): Promise<readonly string[]> {
    const failure = this.#failures.get(name);
    if (failure !== undefined && this.clock.monotonic() < failure.askAt) return failure.repeat();
    const open = this.#questions.get(name);
    const now = this.clock.monotonic();
    if (open !== undefined && now - open.askedAt < attemptMsMax) return open.answer;
    const question = { answer: this.#ask(name), askedAt: now };
    this.#questions.set(name, question);
    return question.answer.finally(() => {
      if (this.#questions.get(name) === question) this.#questions.delete(name);
    });
  }

  async #ask(name: string): Promise<readonly string[]> {
    try {
      const addresses = await this.resolver.resolve(name);
      if (addresses.length === 0) this.#failed(name, () => Promise.resolve([]));
      else this.#failures.delete(name);
      return addresses;
    } catch (reason) {
      this.#failed(name, () => Promise.reject(reason));
      throw reason;
    }
  }

  #failed(name: string, repeat: Failure["repeat"]): void {
    const before = this.#failures.get(name);
    const waitMs = Math.min(before === undefined ? firstMs : 2 * before.waitMs, waitMsMax);
    this.#failures.delete(name);
    this.#failures.set(name, { repeat, waitMs, askAt: this.clock.monotonic() + waitMs });
    dropOldest(this.#failures, namesMax);
  }
}
