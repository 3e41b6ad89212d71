/** Polls a carrier: regularly while it answers, less and less often while it does not. */

import { tryParseJson } from "../../domain/json-path.ts";
import { describeReason, type Reason } from "../../domain/reason.ts";
import { retryAfterMs } from "../../domain/retry-after.ts";
import { reconnectDelayMs } from "../../domain/retry-schedule.ts";
import type { Timer } from "../../platform/clock.ts";
import { errorMessage } from "../../platform/error-code.ts";
import { lastErrorOf, type ProviderDeps, type ProviderHealth } from "../provider.ts";
import { matches, type ProviderAnswer, reasonOfAnswer } from "./answer.ts";
import type { PollRules } from "./poll-file.ts";
import type { RouteRequests } from "./route-requests.ts";
import { ProviderRequestError } from "./send-request.ts";
import type { RequestValues } from "./template.ts";

/** The answer did not match the rules. `waitMs`: how long the carrier asks to be left alone. */
export class QuestionFailed extends Error {
  override readonly name = "QuestionFailed";
  constructor(
    readonly reason: Reason,
    readonly waitMs = 0,
  ) {
    super(describeReason(reason));
  }
}

export interface PollerDeps extends ProviderDeps {
  requests: RouteRequests;
  /** The value of `link` has changed. */
  changed(): void;
}

/** The work of one kind of poll. */
export interface PolledQuestion {
  /** `reports` or `inbound`. */
  name: string;
  /** Asks everything that is due; returns the time until the next round, in milliseconds. */
  round(poller: Poller): Promise<number>;
}

export class Poller {
  readonly #deps: PollerDeps;
  readonly #questions: PolledQuestion;
  readonly #accepted: PollRules["accepted"];
  #timer: Timer | null = null;
  #isStopped = false;
  #isRunning = false;
  #failures = 0;
  #lastReason: Reason | null = null;
  #since: number;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: PollerDeps, { accepted }: PollRules, questions: PolledQuestion) {
    this.#deps = deps;
    this.#questions = questions;
    this.#accepted = accepted;
    this.#since = deps.clock.now();
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Something new is due: asks at once, unless the carrier does not answer or a round is under way. */
  wake(): void {
    if (this.isFailing || this.#isStopped || this.#isRunning) return;
    this.#timer?.cancel();
    this.start(0);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(afterMs: number): void {
    this.#timer = this.#deps.clock.after(afterMs, () => {
      this.#running = this.#round();
    });
  }

  /** Resolves when the current question is finished. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    return this.#running;
  }

  link(): ProviderHealth["links"][number] {
    const state = this.#failures === 0 ? "up" : "failing";
    return { name: this.#questions.name, state, ...lastErrorOf(this.#lastReason), since: this.#since };
  }

  /** @throws QuestionFailed or ProviderRequestError */
  async ask(
    template: PollRules["request"],
    values: RequestValues,
    each?: readonly RequestValues[],
  ): Promise<ProviderAnswer> {
    const answer = await this.#deps.requests.ask(template, values, each);
    const json = tryParseJson(answer.body);
    if (this.#accepted.some((condition) => matches(condition, answer, json))) return answer;
    const waitMs = retryAfterMs(answer.headers.get("Retry-After"), this.#deps.clock.now()) ?? 0;
    // It may contain texts and numbers of others.
    const shown = answer.status < 300 ? { ...answer, body: "" } : answer;
    throw new QuestionFailed(reasonOfAnswer(shown), waitMs);
  }

  async #round(): Promise<void> {
    this.#isRunning = true;
    const waitMs = await this.#questions.round(this).then(
      (nextMs) => this.#answered(nextMs),
      (reason: unknown) => this.#failed(reason),
    );
    this.#isRunning = false;
    if (!this.#isStopped) this.start(waitMs);
  }

  #answered(nextMs: number): number {
    if (this.#failures > 0) this.#become(0);
    return nextMs;
  }

  #failed(reason: unknown): number {
    const { log, random } = this.#deps;
    const isKnown = reason instanceof QuestionFailed || reason instanceof ProviderRequestError;
    const words = errorMessage(reason);
    this.#lastReason = isKnown ? reason.reason : { code: "http_request_failed", words };
    if (!isKnown) log.error({ err: reason }, `the question for ${this.#questions.name} failed`);
    else if (this.#failures === 0) log.warn(`the question for ${this.#questions.name} is not answered: ${words}`);
    this.#become(this.#failures + 1);
    const askedFor = reason instanceof QuestionFailed ? reason.waitMs : 0;
    return Math.max(askedFor, reconnectDelayMs(this.#failures, random.fraction()));
  }

  #become(failures: number): void {
    const isChange = (failures === 0) !== (this.#failures === 0);
    this.#failures = failures;
    if (!isChange) return;
    this.#since = this.#deps.clock.now();
    this.#deps.changed();
  }
}
