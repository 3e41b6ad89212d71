/**
 * Which network has a number, asked of a service before its message is accepted: once, accounts in turns. Answers are kept
 * in memory for days: nothing about recipients is stored, and a restart asks again.
 */
import { ApiError } from "../../domain/api-error.ts";
import { type NumberLookup, networkSources } from "../../domain/network-source.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import type { Moment } from "../../platform/booking-clock.ts";
import { within } from "../../platform/clock.ts";
import { KeyFileError, type Sealer } from "../../platform/seal.ts";
import type { Store } from "../../store/store.ts";
import { AccountTurns } from "./account-turns.ts";
import type { Networks } from "./networks.ts";
import { NumberQuestions, type NumberQuestionsDeps, restMs } from "./number-questions.ts";

export interface NumberLookupsDeps extends NumberQuestionsDeps {
  store: Pick<Store, "tables" | "write">;
  networks: Networks;
  sealer: Sealer;
  directory: { isTestKey(apiKeyId: number): boolean };
  /** @throws OperatorError with the problems of the file */
  open(file: unknown): Promise<NumberLookup>;
}

/** `unanswered`: the last questions had no answer, or a useless one. `unusable`: the file, perhaps for another key. */
export type LookupProblem = "unanswered" | "budget" | "unusable";

const dayMs = 86_400_000;
/** About 150 bytes each. */
const knownMax = 200_000;
/** A number with a useless answer is not asked about again so soon. */
const uselessMs = 600_000;

export class NumberLookups {
  readonly #deps: NumberLookupsDeps;
  readonly #questions: NumberQuestions;
  /** `network`: 0 for a useless answer. */
  readonly #known = new Map<string, { network: number; until: number }>();
  readonly #open = new Map<string, Promise<unknown>>();
  #lookup: NumberLookup | null = null;
  #turns = new AccountTurns(1);
  #isUnusable = false;

  constructor(deps: NumberLookupsDeps) {
    this.#deps = deps;
    this.#questions = new NumberQuestions(deps);
    deps.networks.namedBy(networkSources.lookup, this);
  }

  async open(): Promise<void> {
    const kept = this.#deps.store.tables.networks.lookup();
    if (kept === null) return;
    this.#questions.counted = { day: kept.day, asked: kept.asked };
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
    this.#questions.begin();
    this.#isUnusable = false;
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
    const { counted, lastProblem } = this.#questions;
    const problem: LookupProblem | null = this.#lookup === null ? "unusable" : this.#questions.problem(this.#lookup);
    return { settings: shown, asked: counted.asked, lastProblem, problem };
  }

  /** Null: nobody is asked any more. @throws OperatorError */
  async set(file: object | null): Promise<void> {
    const { store, sealer, open } = this.#deps;
    if (file === null && this.state() === null) throw new OperatorError("number_lookup_not_set");
    const lookup = file === null ? null : await open(file);
    const row = file && { sealed: sealer.seal(JSON.stringify(file)), ...this.#questions.counted };
    await store.write(({ networks }) => networks.setLookup(row));
    this.#use(lookup);
    this.#known.clear();
  }

  /** Resolves once the questions are counted on disk. */
  settled(): Promise<void> {
    return this.#questions.settled();
  }

  /** However many requests want to know it. */
  #once(lookup: NumberLookup, e164: string, bookedAt: number): Promise<unknown> {
    const open = this.#open.get(e164);
    if (open !== undefined) return open;
    if (!this.#questions.mayAsk(lookup, bookedAt)) return Promise.resolve();
    const asked = this.#question(lookup, e164, bookedAt).finally(() => this.#open.delete(e164));
    this.#open.set(e164, asked);
    return asked;
  }

  async #question(lookup: NumberLookup, e164: string, bookedAt: number) {
    const { network, problem, isSilent } = await this.#questions.ask(lookup, e164, bookedAt);
    if (!isSilent) this.#remember(e164, network, lookup);
    return { network, problem };
  }

  #remember(e164: string, network: number, { cacheDays }: NumberLookup): void {
    const until = this.#deps.clock.now() + (network === 0 ? uselessMs : cacheDays * dayMs);
    this.#known.delete(e164);
    this.#known.set(e164, { network, until });
    const [oldest = ""] = this.#known.size > knownMax ? this.#known.keys() : [];
    this.#known.delete(oldest);
  }
}
