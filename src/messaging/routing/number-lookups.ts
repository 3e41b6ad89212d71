/**
 * Which network has a number, asked of a service before its message is accepted: once, within a day's budget, accounts in
 * turns. Answers are kept in memory for days: nothing about recipients is stored, and a restart asks again.
 */
import { ApiError } from "../../domain/api-error.ts";
import { type NumberLookup, networkSources } from "../../domain/network-source.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { background } from "../../platform/background.ts";
import type { BookingClock, Moment } from "../../platform/booking-clock.ts";
import { type Clock, within } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log.ts";
import { KeyFileError, type Sealer } from "../../platform/seal.ts";
import type { Store } from "../../store/store.ts";
import { AccountTurns } from "./account-turns.ts";
import type { Networks } from "./networks.ts";

export interface NumberLookupsDeps {
  store: Pick<Store, "tables" | "write">;
  networks: Networks;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  log: Logger;
  sealer: Sealer;
  directory: { isTestKey(apiKeyId: number): boolean };
  /** @throws OperatorError with the problems of the file */
  open(file: unknown): Promise<NumberLookup>;
}

/** `unanswered`: the last questions had no answer, or a useless one. `unusable`: the file, perhaps for another key. */
export type LookupProblem = "unanswered" | "budget" | "unusable";

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);
/** About 150 bytes each. */
const knownMax = 200_000;
const failuresMax = 5;
const restMs = 10_000;
/** A number with a useless answer is not asked about again so soon. */
const uselessMs = 600_000;
const shownMax = 60;

export class NumberLookups {
  readonly #deps: NumberLookupsDeps;
  readonly #background: ReturnType<typeof background>;
  /** `network`: 0 for a useless answer. */
  readonly #known = new Map<string, { network: number; until: number }>();
  readonly #open = new Map<string, Promise<unknown>>();
  #lookup: NumberLookup | null = null;
  #turns = new AccountTurns(1);
  #day = 0;
  #asked = 0;
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #isUnusable = false;
  #lastProblem: { at: number; words: string } | null = null;

  constructor(deps: NumberLookupsDeps) {
    this.#deps = deps;
    this.#background = background(deps.log);
    deps.networks.namedBy(networkSources.lookup, this);
  }

  async open(): Promise<void> {
    const kept = this.#deps.store.tables.networks.lookup();
    if (kept === null) return;
    [this.#day, this.#asked] = [kept.day, kept.asked];
    try {
      this.#use(await this.#deps.open(JSON.parse(this.#deps.sealer.open(kept.sealed))));
    } catch (reason) {
      if (!(reason instanceof KeyFileError || reason instanceof OperatorError)) throw reason;
      this.#isUnusable = true;
      this.#deps.log.error({ err: reason }, "the file for looking up numbers cannot be used: set it again");
    }
  }

  #use(lookup: NumberLookup | null): void {
    this.#lookup = lookup;
    this.#turns = new AccountTurns(lookup?.window ?? 1);
    this.#failures = 0;
    this.#isUnusable = false;
    this.#lastProblem = null;
  }

  /** Whether anybody is asked about numbers that this key sends to. */
  asksFor(apiKeyId: number): boolean {
    return this.#lookup !== null && !this.#deps.directory.isTestKey(apiKeyId);
  }

  /** 0 if it is not known. */
  networkOf(e164: string): number {
    return this.#known.get(e164)?.network ?? 0;
  }

  /** By the table of ported numbers, or by an answer that still counts. */
  isKnown(e164: string): boolean {
    if ((this.#known.get(e164)?.until ?? 0) <= this.#deps.clock.now()) this.#known.delete(e164);
    return this.#deps.networks.find(e164).source !== networkSources.prefix;
  }

  /**
   * Resolves when every number is answered for, or the time is up: no account waits longer because of another. @throws
   * ApiError `service_unavailable` without an answer, if the operator wants it refused
   */
  async ask({ accountId, bookedAt }: Moment & { accountId: number }, numbers: ReadonlySet<string>): Promise<void> {
    const lookup = this.#lookup;
    if (lookup === null) return;
    const late = new Error("The time of a request's look-ups is up");
    let isOver = false;
    const question = async (e164: string) => {
      const isUseless = (this.#known.get(e164)?.until ?? 0) > this.#deps.clock.now();
      if (!isOver && !isUseless) await this.#once(lookup, e164, bookedAt);
    };
    const all = [...numbers].map((e164) => this.#turns.run(accountId, () => question(e164)));
    await within(this.#deps.clock, lookup.timeLimitMs, Promise.all(all), () => late).catch((reason: unknown) => {
      if (reason !== late) throw reason;
    });
    isOver = true;
    if (lookup.withoutAnswer === "prefix" || [...numbers].every((e164) => this.networkOf(e164) !== 0)) return;
    const message = "The network of a recipient could not be looked up; retry with the same Idempotency-Key.";
    throw new ApiError("service_unavailable", { message, retryAfterSeconds: restMs / 1_000 });
  }

  /** Asks whatever is known. It counts as one of the day's questions. @throws OperatorError */
  async try(e164: string) {
    const { clock, bookingClock } = this.#deps;
    if (this.#lookup === null) throw new OperatorError("number_lookup_not_set");
    const startedAt = clock.monotonic();
    const answer = await this.#question(this.#lookup, e164, bookingClock.moment().bookedAt);
    return { ...answer, ms: Math.round(clock.monotonic() - startedAt) };
  }

  /** Null if nobody is asked. `settings`: null if the file cannot be used. */
  state() {
    if (this.#lookup === null && !this.#isUnusable) return null;
    const { ask: _, ...settings } = this.#lookup ?? { ask: null };
    const shown = "service" in settings ? settings : null;
    return { settings: shown, asked: this.#asked, lastProblem: this.#lastProblem, problem: this.#problem() };
  }

  #problem(): LookupProblem | null {
    if (this.#lookup === null) return "unusable";
    if (this.#failures >= failuresMax) return "unanswered";
    return this.#isSpent(this.#lookup, this.#deps.bookingClock.moment().bookedAt) ? "budget" : null;
  }

  /** Null: nobody is asked any more. @throws OperatorError */
  async set(file: object | null): Promise<void> {
    const { store, sealer, open } = this.#deps;
    if (file === null && this.state() === null) throw new OperatorError("number_lookup_not_set");
    const lookup = file === null ? null : await open(file);
    const row = file && { sealed: sealer.seal(JSON.stringify(file)), day: this.#day, asked: this.#asked };
    await store.write(({ networks }) => networks.setLookup(row));
    this.#use(lookup);
    this.#known.clear();
  }

  /** Resolves once the questions are counted on disk. */
  settled(): Promise<void> {
    return this.#background.settled();
  }

  /** However many requests want to know it. */
  #once(lookup: NumberLookup, e164: string, bookedAt: number): Promise<unknown> {
    const open = this.#open.get(e164);
    if (open !== undefined) return open;
    const now = this.#deps.clock.monotonic();
    if (now < this.#restsUntil || this.#isSpent(lookup, bookedAt)) return Promise.resolve();
    // While it does not answer, one question finds out whether it does again.
    if (this.#failures >= failuresMax) this.#restsUntil = now + restMs;
    const asked = this.#question(lookup, e164, bookedAt).finally(() => this.#open.delete(e164));
    this.#open.set(e164, asked);
    return asked;
  }

  #isSpent({ budgetPerDay }: NumberLookup, bookedAt: number): boolean {
    return this.#day >= dayOf(bookedAt) && this.#asked >= budgetPerDay;
  }

  async #question(lookup: NumberLookup, e164: string, bookedAt: number) {
    const { store, networks, clock } = this.#deps;
    const day = Math.max(this.#day, dayOf(bookedAt));
    const asked = day === this.#day ? this.#asked + 1 : 1;
    [this.#day, this.#asked] = [day, asked];
    this.#background.run("count a look-up", () => store.write((tables) => tables.networks.countLookups(day, asked)));
    const answer = await lookup.ask(e164);
    this.#failures = "problem" in answer ? this.#failures + 1 : 0;
    this.#restsUntil = clock.monotonic() + (this.#failures >= failuresMax ? restMs : 0);
    const network = "network" in answer ? (networks.byName(answer.network)?.id ?? 0) : 0;
    if (!("isSilent" in answer && answer.isSilent)) this.#remember(e164, network, lookup);
    const problem = "problem" in answer ? answer.problem : network === 0 ? unknownText(answer.network) : null;
    if (problem !== null) this.#tell(problem);
    return { network, problem };
  }

  #remember(e164: string, network: number, { cacheDays }: NumberLookup): void {
    const until = this.#deps.clock.now() + (network === 0 ? uselessMs : cacheDays * dayMs);
    this.#known.delete(e164);
    this.#known.set(e164, { network, until });
    const [oldest = ""] = this.#known.size > knownMax ? this.#known.keys() : [];
    this.#known.delete(oldest);
  }

  /** In the log once, however often it happens. */
  #tell(words: string): void {
    if (this.#lastProblem?.words !== words) this.#deps.log.warn({ problem: words }, "a number was not looked up");
    this.#lastProblem = { at: this.#deps.clock.now(), words };
  }
}

const unknownText = (name: string) =>
  `The answer names "${name.slice(0, shownMax).replaceAll(/\p{Cc}/gu, "\ufffd")}", which is no network here.`;
