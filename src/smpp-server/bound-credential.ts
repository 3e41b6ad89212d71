/** What the binds of one credential share: their number, the rate of submits, and what waits to be delivered. */
import type { SmppCredentialOptions } from "../domain/credential.ts";
import type { Clock } from "../platform/clock.ts";
import type { CustomerDeliveries } from "./customer-deliveries.ts";
import type { CustomerSession } from "./customer-session.ts";

/** A full second's worth may come at once. */
class SubmitRate {
  #left: number;
  #atMs: number;

  constructor(
    readonly perSecond: number,
    nowMs: number,
  ) {
    this.#left = perSecond;
    this.#atMs = nowMs;
  }

  take(nowMs: number): boolean {
    this.#left = Math.min(this.perSecond, this.#left + ((nowMs - this.#atMs) / 1_000) * this.perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** The last thing that was refused. */
export interface LastRefusal {
  at: number;
  status: number;
  words: string;
}

export class BoundCredential {
  readonly sessions = new Set<CustomerSession>();
  lastRefusal: LastRefusal | null = null;
  /** Since the start: what was accepted, and what was refused. */
  accepted = 0;
  refused = 0;
  #rate: SubmitRate | null = null;

  constructor(
    readonly id: number,
    readonly deliveries: CustomerDeliveries,
    readonly clock: Clock,
    public options: SmppCredentialOptions,
  ) {}

  /** Whether another submit fits into this second. */
  mayTake(ratePerSecond: number | null): boolean {
    if (ratePerSecond === null) return true;
    const nowMs = this.clock.monotonic();
    if (this.#rate?.perSecond !== ratePerSecond) this.#rate = new SubmitRate(ratePerSecond, nowMs);
    return this.#rate.take(nowMs);
  }

  /** Whether one more may bind. Binds that do not answer make room; the others are asked whether they are still there. */
  hasRoom(): boolean {
    if (this.sessions.size < this.options.binds) return true;
    const silent = [...this.sessions].find((session) => session.isSilent);
    silent?.end("another bind took its place: it did not answer enquire_link");
    if (silent !== undefined) return true;
    for (const session of this.sessions) session.enquire();
    return false;
  }
}
