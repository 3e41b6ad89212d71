/**
 * Limits one route: how many parts may be unanswered at once, how many may be sent per second, and when it must pause.
 */
import type { Clock } from "../platform/clock.ts";

/** The carrier's limits: see ProviderHealth. */
export interface RouteLimits {
  window: number;
  partsPerSecond: number | null;
}

/**
 * Parts of claims that are not on disk yet. A route that is rebuilt meanwhile shares them with its predecessor: they
 * will be handed to it.
 */
export interface ClaimedParts {
  parts: number;
}

/** How far the route may exceed its rate after being idle: small enough for carriers that count in 100 ms intervals. */
const burstMs = 20;
/** A throttling answer reduces the rate to this share, and it recovers by `recoveryPerSecond` of the limit. */
const slowdown = 0.7;
const recoveryPerSecond = 0.05;
const ratePartsPerSecondMin = 1;

export class RouteLimiter {
  readonly #clock: Clock;
  readonly #claimed: ClaimedParts;
  #limits: RouteLimits;
  #submitted = 0;
  /** Monotonic time at which the next part fits the rate. */
  #nextAt = 0;
  #pausedUntil = 0;
  /** Set while the route is slowed down: parts per second, as of `#slowedAt`. */
  #slowedRate: number | null = null;
  #slowedAt = 0;
  #acquiredSince = { at: 0, parts: 0 };
  #taken = 0;

  constructor(clock: Clock, limits: RouteLimits, claimed: ClaimedParts = { parts: 0 }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#claimed = claimed;
  }

  /** Parts claimed or submitted. */
  get unanswered(): number {
    return this.#claimed.parts + this.#submitted;
  }

  /** True if the route carries messages: a receive-only route has no window. */
  get isOpen(): boolean {
    return this.#limits.window > 0;
  }

  /** Parts let through since the route was started. */
  get taken(): number {
    return this.#taken;
  }

  /** Current limit in parts per second; null for no limit. */
  get rate(): number | null {
    if (this.#slowedRate === null) return this.#limits.partsPerSecond;
    const seconds = (this.#clock.monotonic() - this.#slowedAt) / 1000;
    const ceiling = this.#limits.partsPerSecond ?? this.#slowedRate / slowdown;
    const recovered = this.#slowedRate + ceiling * recoveryPerSecond * seconds;
    if (recovered < ceiling) return Math.max(recovered, ratePartsPerSecondMin);
    this.#slowedRate = null;
    return this.#limits.partsPerSecond;
  }

  setLimits(limits: RouteLimits): void {
    this.#limits = limits;
  }

  /** True if one more message may go. A message with more parts than the window holds may go alone. */
  hasRoom(): boolean {
    if (this.unanswered >= this.#limits.window) return false;
    const now = this.#clock.monotonic();
    if (now < this.#pausedUntil) return false;
    return this.rate === null || this.#nextAt <= now + burstMs;
  }

  /** Milliseconds until rate and pause let a message through; 0 if only the window blocks it, or nothing does. */
  waitMs(): number {
    const now = this.#clock.monotonic();
    const pacedUntil = this.rate === null ? 0 : this.#nextAt - burstMs;
    return Math.max(this.#pausedUntil - now, pacedUntil - now, 0);
  }

  /** A message is being claimed for the route. */
  claim(parts: number): void {
    this.#claimed.parts += parts;
    this.#take(parts);
  }

  /** The claim is on disk, or failed: its parts are free again. */
  unclaim(parts: number): void {
    this.#claimed.parts -= parts;
    this.#taken -= parts;
    const rate = this.rate;
    if (rate !== null) this.#nextAt -= (parts * 1000) / rate;
  }

  /** A message is handed to the route's provider. */
  acquire(parts: number): void {
    this.#submitted += parts;
    this.#take(parts);
  }

  #take(parts: number): void {
    this.#taken += parts;
    const now = this.#clock.monotonic();
    if (now - this.#acquiredSince.at > 1000) this.#acquiredSince = { at: now, parts: 0 };
    this.#acquiredSince.parts += parts;
    const rate = this.rate;
    if (rate !== null) this.#nextAt = Math.max(this.#nextAt, now) + (parts * 1000) / rate;
  }

  /** The carrier answered for this many parts. */
  release(parts: number): void {
    this.#submitted -= parts;
  }

  /** The carrier is busy and says for how long: nothing is sent until then, and then at full speed. */
  pause(pauseMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + pauseMs);
  }

  /** The carrier throttles: pauses the route, then resumes at a lower rate. */
  throttle(pauseMs: number): void {
    const now = this.#clock.monotonic();
    // The refusals of a whole window arrive together and count as one event, not ten.
    if (now < this.#pausedUntil) return;
    const seconds = Math.max((now - this.#acquiredSince.at) / 1000, 0.1);
    const current = this.rate ?? this.#acquiredSince.parts / seconds;
    this.#slowedRate = Math.max(current * slowdown, ratePartsPerSecondMin);
    this.#slowedAt = now + pauseMs;
    this.#pausedUntil = now + pauseMs;
  }
}
