/** A route to an HTTP provider: one request a message, and a pause of the route when the provider cannot be reached. */
import { readFileSync } from "node:fs";
import type { Reason } from "../../domain/reason.ts";
import { describeReason } from "../../domain/reason-text.ts";
import { bindRefusedDelayMs, reconnectDelayMs } from "../../domain/retry-schedule.ts";
import type { Timer } from "../../platform/clock.ts";
import type {
  ProbeStep,
  Provider,
  ProviderDeps,
  ProviderEvents,
  ProviderHealth,
  Submission,
  SubmitOutcome,
} from "../provider.ts";
import { outcomeOfAnswer } from "./answer.ts";
import { callbackUrls, type HttpOptions } from "./options.ts";
import { probeHttp } from "./probe.ts";
import { ProviderRequestError, sendProviderRequest } from "./send-request.ts";
import { fillRequest, valuesFor } from "./template.ts";

/**
 * A message that the provider did not answer is uncertain, and no late answer can come. Where the provider could not be
 * reached, or refuses the credentials, the message is not at fault: the route pauses, then takes messages again.
 */
export class HttpProvider implements Provider {
  readonly #name: string;
  readonly #values: Parameters<typeof valuesFor>[1];
  readonly #open = new Set<Promise<SubmitOutcome>>();
  #authority: string | null = null;
  #state: "stopped" | "up" | "resting" = "stopped";
  #since: number;
  #lastError: string | null = null;
  #failures = 0;
  #pauseTimer: Timer | null = null;

  constructor(
    readonly options: HttpOptions,
    readonly events: ProviderEvents,
    readonly deps: ProviderDeps,
  ) {
    const { username, password, token } = options;
    this.#values = { username, password, token, ...callbackUrls(options) };
    this.#name = new URL(options.request.url).host;
    this.#since = deps.clock.now();
  }

  start(): void {
    this.#become("up");
  }

  async stop(graceMs: number): Promise<void> {
    this.#become("stopped");
    this.#pauseTimer?.cancel();
    const grace = Promise.withResolvers<void>();
    const timer = this.deps.clock.after(graceMs, grace.resolve);
    await Promise.race([Promise.allSettled(this.#open), grace.promise]);
    timer.cancel();
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    if (this.#state !== "up")
      return Promise.resolve({ kind: "not_sent", reason: { code: "http_route_not_up", state: this.#state } });
    const outcome = this.#send(submission);
    this.#open.add(outcome);
    void outcome.finally(() => this.#open.delete(outcome));
    return outcome;
  }

  async #send(submission: Submission): Promise<SubmitOutcome> {
    const { clock } = this.deps;
    try {
      const request = fillRequest(this.options.request, valuesFor(submission, this.#values, clock.now()));
      const sending = { clock, timeoutMs: this.options.responseTimeoutMs, authority: this.#readAuthority() };
      const answer = await sendProviderRequest(request, sending);
      const outcome = outcomeOfAnswer(answer, this.options.answer, submission.trackingCode);
      if (outcome.kind === "unauthorised") return this.#pause(outcome.reason, bindRefusedDelayMs);
      this.#failures = 0;
      return outcome;
    } catch (error) {
      if (!(error instanceof ProviderRequestError))
        return { kind: "rejected", error: "internal", reason: { code: "http_request_failed", words: String(error) } };
      if (!error.sent) return this.#pause(error.reason, reconnectDelayMs);
      this.#lastError = error.message;
      return { kind: "uncertain", reason: error.reason, lateAnswer: false };
    }
  }

  /** @throws ProviderRequestError */
  #readAuthority(): string | null {
    if (this.options.caFile === null) return null;
    try {
      this.#authority ??= readFileSync(this.options.caFile, "utf8");
      return this.#authority;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw new ProviderRequestError(false, { code: "http_ca_file_unreadable", words });
    }
  }

  /** Pauses the route; many messages may fail at once, and the first of them decides for how long. */
  #pause(reason: Reason, delayMs: (failures: number, fraction: number) => number): SubmitOutcome {
    if (this.#state === "up") {
      this.#failures += 1;
      this.#lastError = describeReason(reason);
      const { clock, random, log } = this.deps;
      const pauseMs = delayMs(this.#failures, random.fraction());
      log.warn(`${this.#name}: ${this.#lastError}; next try in ${(pauseMs / 1000).toFixed(1)} s`);
      this.#pauseTimer = clock.after(pauseMs, () => this.#become("up"));
      this.#become("resting");
    }
    return { kind: "not_sent", reason };
  }

  #become(state: "stopped" | "up" | "resting"): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.deps.clock.now();
    this.events.healthChanged();
  }

  health(): ProviderHealth {
    const { window, partsPerSecond } = this.options;
    const up = this.#state === "up";
    const link = { name: this.#name, state: this.#state, lastError: this.#lastError, since: this.#since };
    return { up, window: up ? window : 0, partsPerSecond, links: [link] };
  }

  probe(): Promise<readonly ProbeStep[]> {
    return probeHttp(this.options, this.deps.clock);
  }
}
