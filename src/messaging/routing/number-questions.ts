/** The service that is asked for the networks of numbers: within a day's budget, and left alone while it gives no answers. */
import type { NumberLookup } from "../../domain/network-source.ts";
import { background } from "../../platform/background.ts";
import type { BookingClock } from "../../platform/booking-clock.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import type { Store } from "../../store/store.ts";
import type { Networks } from "./networks.ts";

export interface NumberQuestionsDeps {
  store: Pick<Store, "write">;
  networks: Pick<Networks, "byName">;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  log: Logger;
}

const dayMs = 86_400_000;
export const restMs = 10_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);
const failuresMax = 5;
const shownMax = 60;

export class NumberQuestions {
  readonly #deps: NumberQuestionsDeps;
  readonly #background: ReturnType<typeof background>;
  /** Asked on this day; another service does not begin it anew. */
  counted = { day: 0, asked: 0 };
  lastProblem: { at: number; words: string } | null = null;
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: NumberQuestionsDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
  }

  /** Another service is asked from now on. */
  begin(): void {
    this.#failures = 0;
    this.lastProblem = null;
  }

  problem(lookup: NumberLookup): "unanswered" | "budget" | null {
    if (this.#failures >= failuresMax) return "unanswered";
    return this.#isSpent(lookup, this.#deps.bookingClock.moment().bookedAt) ? "budget" : null;
  }

  /** Call before each question. While the service does not answer, one question finds out whether it does again. */
  mayAsk(lookup: NumberLookup, bookedAt: number): boolean {
    const now = this.#deps.clock.monotonic();
    if (now < this.#restsUntil || this.#isSpent(lookup, bookedAt)) return false;
    if (this.#failures >= failuresMax) this.#restsUntil = now + restMs;
    return true;
  }

  /** `network`: 0 without a useful answer. `isSilent`: without any. */
  async ask(lookup: NumberLookup, e164: string, bookedAt: number) {
    const { networks, clock } = this.#deps;
    this.#count(bookedAt);
    const answer = await lookup.ask(e164);
    this.#failures = "problem" in answer ? this.#failures + 1 : 0;
    this.#restsUntil = clock.monotonic() + (this.#failures >= failuresMax ? restMs : 0);
    const network = "network" in answer ? (networks.byName(answer.network)?.id ?? 0) : 0;
    const problem = "problem" in answer ? answer.problem : network === 0 ? unknownText(answer.network) : null;
    if (problem !== null) this.#tell(problem);
    return { network, problem, isSilent: "isSilent" in answer && answer.isSilent };
  }

  /** Resolves once the questions are counted on disk. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  #isSpent({ budgetPerDay }: NumberLookup, bookedAt: number): boolean {
    return this.counted.day >= dayOf(bookedAt) && this.counted.asked >= budgetPerDay;
  }

  #count(bookedAt: number): void {
    const day = Math.max(this.counted.day, dayOf(bookedAt));
    const asked = day === this.counted.day ? this.counted.asked + 1 : 1;
    this.counted = { day, asked };
    this.#background.run("count a look-up", () =>
      this.#deps.store.write(({ networks }) => networks.countLookups(day, asked)),
    );
  }

  /** In the log once, however often it happens. */
  #tell(words: string): void {
    if (this.lastProblem?.words !== words) this.#deps.log.warn({ problem: words }, "a number was not looked up");
    this.lastProblem = { at: this.#deps.clock.now(), words };
  }
}

const unknownText = (name: string) =>
  `The answer names "${name.slice(0, shownMax).replaceAll(/\p{Cc}/gu, "\ufffd")}", which is no network here.`;
