/** Keeps the leader's lease: this node's permission ends before another node may take over. */
import type { Clock, Timer } from "../platform/clock.ts";
import { errorMessage } from "../platform/error-code.ts";
import type { Logger } from "../platform/log.ts";
import type { Lease } from "./engine.ts";

/** A node that has seen the lease unchanged for this long takes over. */
export const leaseMs = 5_000;
/** This long before that, a leader stops talking to carriers, so that a submit in flight has ended by then. */
const marginMs = 1_500;
const renewEveryMs = 500;
/** After this time without an answer the lease's connection is ended: what was asked is asked again on another. */
export const leaseAnswerMsMax = 1_500;

export interface LeaseKeeperDeps {
  lease: Pick<Lease, "renew">;
  clock: Pick<Clock, "monotonic" | "after">;
  log: Logger;
  epoch: number;
  acknowledged(): number;
  /** Another node leads. */
  lost(why: string): void;
  /** A person asked another node to lead: its name, or `*` for any. */
  handOver(next: string): void;
}

export class LeaseKeeper {
  readonly #deps: LeaseKeeperDeps;
  /**
   * When the last successful renewal was sent, monotonic. The lease holds for five seconds from then, not from the
   * answer.
   */
  #sentAt: number;
  #timer: Timer | null = null;
  #isStopped = false;
  #wasGood = true;
  readonly #waiting: (() => void)[] = [];
  readonly #listeners: ((isGood: boolean) => void)[] = [];

  /** `takenAt`: when the take-over was sent, monotonic. */
  constructor(deps: LeaseKeeperDeps, takenAt: number) {
    this.#deps = deps;
    this.#sentAt = takenAt;
    void this.#renew();
  }

  /** True while this node may submit and answer. */
  get isGood(): boolean {
    return this.#deps.clock.monotonic() - this.#sentAt < leaseMs - marginMs;
  }

  /** Null while the lease holds; otherwise resolves when it holds again. */
  turn(): Promise<void> | null {
    return this.isGood ? null : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Calls `listener` when the lease lapses, and when it holds again. */
  onChange(listener: (isGood: boolean) => void): void {
    this.#listeners.push(listener);
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  async #renew(): Promise<void> {
    const { lease, clock, log, epoch, acknowledged, lost, handOver } = this.#deps;
    const sentAt = clock.monotonic();
    try {
      const renewed = await lease.renew(epoch, acknowledged());
      if (this.#isStopped) return;
      if (renewed === null) return lost("another node leads");
      this.#sentAt = sentAt;
      if (renewed.next !== null) handOver(renewed.next);
    } catch (reason) {
      if (this.#wasGood && !this.isGood)
        log.error({ reason: errorMessage(reason) }, "the cluster's lease is not renewed");
    }
    if (this.#isStopped) return;
    this.#tell();
    this.#timer = clock.after(renewEveryMs, () => void this.#renew());
  }

  #tell(): void {
    const { isGood } = this;
    if (isGood) for (const resolve of this.#waiting.splice(0)) resolve();
    if (isGood === this.#wasGood) return;
    this.#wasGood = isGood;
    for (const listener of this.#listeners) listener(isGood);
  }
}
