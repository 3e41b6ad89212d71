/** State shared by the binds of one credential: their number, the submit rate, and the queue of deliveries. */
import type { SmppCredentialOptions } from "../domain/credential.ts";
import type { Reason } from "../domain/reason.ts";
import type { RefusedCaller } from "../messaging/refusals/refused-requests.ts";
import type { Clock } from "../platform/clock.ts";
import { RatePerSecond } from "../platform/rate-per-second.ts";
import type { CustomerDeliveries } from "./customer-deliveries.ts";
import type { CustomerSession } from "./customer-session.ts";
import type { FreeRequestTurn, FreeRequestTurns } from "./free-request-turns.ts";

/** The most recent refusal. */
export interface LastRefusal {
  at: number;
  status: number;
  words: string;
}

/** When nobody was bound, in epoch milliseconds; `to`: null while it lasts. */
export interface UnboundSpan {
  from: number;
  to: number | null;
  /** How the last bind ended. */
  why: Reason | null;
}

/** Of a client that comes and goes, the last ones. */
const unboundMax = 100;

const countedMs = 10_000;

/** Submits per second over the last ten complete seconds. */
class RecentRate {
  #startedAtMs: number;
  #count = 0;
  #before = 0;

  constructor(readonly clock: Pick<Clock, "monotonic">) {
    this.#startedAtMs = clock.monotonic();
  }

  add(): void {
    this.#turn();
    this.#count += 1;
  }

  get perSecond(): number {
    this.#turn();
    return (this.#before * 1_000) / countedMs;
  }

  #turn(): void {
    const passedMs = this.clock.monotonic() - this.#startedAtMs;
    if (passedMs < countedMs) return;
    this.#before = passedMs < 2 * countedMs ? this.#count : 0;
    this.#count = 0;
    this.#startedAtMs += Math.floor(passedMs / countedMs) * countedMs;
  }
}

export class BoundCredential {
  readonly sessions = new Set<CustomerSession>();
  /** When it was first bound. */
  readonly boundAt: number;
  /** Since then; oldest first. */
  readonly unbound: UnboundSpan[] = [];
  lastRefusal: LastRefusal | null = null;
  /** Totals since the start: accepted and refused. */
  accepted = 0;
  refused = 0;
  readonly recent: RecentRate;
  readonly #rate: RatePerSecond;

  constructor(
    readonly caller: RefusedCaller,
    readonly deliveries: CustomerDeliveries,
    /** `free`: shared by all credentials of the account, of which a customer makes as many as it may. */
    readonly deps: { clock: Clock; free: FreeRequestTurns },
    public options: SmppCredentialOptions,
  ) {
    this.#rate = new RatePerSecond(deps.clock);
    this.recent = new RecentRate(deps.clock);
    this.boundAt = deps.clock.now();
  }

  began(session: CustomerSession): void {
    const last = this.unbound.at(-1);
    if (this.sessions.size === 0 && last !== undefined) last.to = this.deps.clock.now();
    this.sessions.add(session);
  }

  ended(session: CustomerSession, why: Reason | null): void {
    if (!this.sessions.delete(session) || this.sessions.size > 0) return;
    this.unbound.push({ from: this.deps.clock.now(), to: null, why });
    if (this.unbound.length > unboundMax) this.unbound.shift();
  }

  /**
   * Limits the requests of a bind that cost the customer nothing: those that are refused, and queries. Each takes about
   * 20 microseconds, so that a thousand a second use a fiftieth of the processor. `goOn`: the bind may be read again.
   */
  freeTurn(goOn: () => void): FreeRequestTurn {
    return this.deps.free.of(goOn);
  }

  countAccepted(): void {
    this.accepted += 1;
    this.recent.add();
    this.deps.free.accepted();
  }

  get id(): number {
    return this.caller.id;
  }

  /** True if another submit fits into this second. */
  mayTake(ratePerSecond: number | null): boolean {
    return this.#rate.waitMs(ratePerSecond) === 0;
  }

  /** True if one more may bind. Binds that do not answer make room; the others are sent an enquire_link. */
  hasRoom(): boolean {
    if (this.sessions.size < this.options.binds) return true;
    const silent = [...this.sessions].find((session) => session.isSilent);
    silent?.end({ code: "bind_replaced" });
    if (silent !== undefined) return true;
    for (const session of this.sessions) session.enquire();
    return false;
  }
}
