/**
 * Whether an HTTP route takes messages: up, resting after failures that no message caused, or probing with one message.
 */
import { describeReason, type Reason } from "../../domain/reason.ts";
import type { Timer } from "../../platform/clock.ts";
import { lastErrorOf, type ProviderDeps, type ProviderHealth } from "../provider.ts";

type State = "stopped" | "up" | "resting" | "probing";

/** After this many consecutive answers that match no rule, the route rests. */
const unmatchedMax = 5;

export class Availability {
  readonly #deps: ProviderDeps;
  readonly #name: string;
  readonly #changed: () => void;
  #state: State = "stopped";
  #since: number;
  #lastReason: Reason | null = null;
  #failures = 0;
  #unmatched = 0;
  #timer: Timer | null = null;

  /** `changed` is called when `describe` or `messagesMax` changes. */
  constructor(name: string, deps: ProviderDeps, changed: () => void) {
    this.#name = name;
    this.#deps = deps;
    this.#changed = changed;
    this.#since = deps.clock.now();
  }

  get state(): State {
    return this.#state;
  }

  /** True if messages are accepted; one at a time while the route is probing. */
  get isOpen(): boolean {
    return this.#state === "up" || this.#state === "probing";
  }

  describe(): ProviderHealth["links"][number] {
    return { name: this.#name, state: this.#state, ...lastErrorOf(this.#lastReason), since: this.#since };
  }

  start(): void {
    this.#become("up");
  }

  stop(): void {
    this.#timer?.cancel();
    this.#become("stopped");
  }

  /** The provider answered as its rules expect. */
  answered(): void {
    this.#unmatched = 0;
    if (this.#state === "up") this.#failures = 0;
    if (this.#state !== "probing") return;
    this.#failures = 0;
    this.#deps.log.info(`${this.#name}: the provider answers as it should again; the route is up`);
    this.#become("up");
  }

  /** No answer came, although the provider may have the message. */
  silent(reason: Reason, delayMs: RestDelay): void {
    this.#lastReason = reason;
    if (this.#state === "probing") this.rest(reason, delayMs);
  }

  /** An answer matched no rule. Several in a row, or one while probing, make the route rest. */
  unmatched(reason: Reason, delayMs: RestDelay): void {
    this.#unmatched += 1;
    this.#lastReason = reason;
    if (this.#state === "probing" || this.#unmatched >= unmatchedMax) this.rest(reason, delayMs);
  }

  /** Takes no messages for a while, then probes with one. If many fail at once, the first sets the time. */
  rest(reason: Reason, delayMs: RestDelay): void {
    if (!this.isOpen) return;
    this.#failures += 1;
    const { clock, random, log } = this.#deps;
    const pauseMs = delayMs(this.#failures, random.fraction());
    const words = describeReason(reason);
    this.#lastReason = { code: "http_rests", cause: reason };
    log.warn(`${this.#name}: ${words}; the route rests for ${(pauseMs / 1000).toFixed(1)} s, then tries one message`);
    this.#timer = clock.after(pauseMs, () => this.#become("probing"));
    this.#become("resting");
  }

  #become(state: State): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.#deps.clock.now();
    this.#changed();
  }
}

/** See domain/retry-schedule.ts. */
export type RestDelay = (failures: number, fraction: number) => number;
