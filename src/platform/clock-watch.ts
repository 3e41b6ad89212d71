/** Tells a wall clock that jumped ahead, so that nothing is deleted or failed by a time that is wrong. */
import { statSync } from "node:fs";
import type { Clock } from "./clock.ts";
import { errorCode } from "./error-code.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Ahead of the time that has passed by more than this, the clock is in doubt. NTP slews or steps by less in normal service. */
const jumpMsMax = hourMs;
/** After so long nobody is expected to set it back. */
const standsMs = 24 * hourMs;

/** Touched by systemd-timesyncd at each answer of a time server; the unit forbids asking the kernel (ProtectClock). */
const timesyncFile = "/run/systemd/timesync/synchronized";

/** When the machine's time service last agreed with a time server, epoch milliseconds; null where that cannot be told. */
export function timeServiceAgreedAt(): number | null {
  try {
    return statSync(timesyncFile).mtimeMs;
  } catch (reason) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes(errorCode(reason))) return null;
    throw reason;
  }
}

/** What is kept over a restart. */
export interface TrustedTime {
  /** Epoch milliseconds: the newest wall time that was not in doubt. */
  trustedAt: number;
  /** How long a doubt has stood by now; 0 where there is none. */
  doubtedForMs: number;
}

export interface ClockDoubt {
  /** How far the wall clock is ahead of the time that has passed, in milliseconds. */
  aheadMs: number;
  /** How long it has been so. */
  forMs: number;
}

export interface ClockWatchDeps {
  clock: Pick<Clock, "now" | "monotonic">;
  /** See `timeServiceAgreedAt`. */
  agreedAt(): number | null;
  /** Null where nothing is known of the time before. */
  before: TrustedTime | null;
  /** Told when a doubt begins, and when it ends (null). */
  changed(doubt: ClockDoubt | null): void;
}

interface Doubt {
  /** Monotonic milliseconds. */
  since: number;
  /** How long it had stood before this process. */
  stoodMs: number;
  /** Wall time from which on a time server's agreement counts. */
  agreementFrom: number;
}

export class ClockWatch {
  readonly #deps: ClockWatchDeps;
  /** A wall time that was right, and the monotonic time of the same moment. */
  #trustedAt: number;
  #trustedAtSteady: number;
  #doubt: Doubt | null = null;

  constructor(deps: ClockWatchDeps) {
    const { clock, before } = deps;
    this.#deps = deps;
    this.#trustedAt = before?.trustedAt ?? clock.now();
    this.#trustedAtSteady = clock.monotonic();
    // Set before this process began: any agreement of the last hour is one with the time as it is now.
    if (this.#aheadMs() > jumpMsMax) this.#begin(before?.doubtedForMs ?? 0, clock.now() - hourMs);
  }

  /** The newest wall time that was not in doubt, as it was looked at: epoch milliseconds. */
  get trustedAt(): number {
    return this.#trustedAt;
  }

  /** Null while the wall clock can be believed. Looks anew at each call. */
  doubt(): ClockDoubt | null {
    const aheadMs = this.#aheadMs();
    if (aheadMs <= jumpMsMax) this.#follow(aheadMs);
    else if (this.#doubt === null) this.#begin(0, this.#deps.clock.now());
    else this.#lookBack(this.#doubt);
    if (this.#doubt !== null && (this.#stoodMs(this.#doubt) >= standsMs || this.#isAgreed(this.#doubt.agreementFrom))) {
      this.confirm();
    }
    return this.#doubt === null ? null : { aheadMs, forMs: this.#stoodMs(this.#doubt) };
  }

  /** The time is right as it is: somebody who knows says so. */
  confirm(): void {
    this.#trust(this.#deps.clock.now());
    this.#end();
  }

  state(): TrustedTime {
    this.doubt();
    return {
      trustedAt: this.#trustedAt,
      doubtedForMs: this.#doubt === null ? 0 : Math.max(1, Math.round(this.#stoodMs(this.#doubt))),
    };
  }

  /** A clock that is behind is followed only where the time service agrees: it may be about to be set right. */
  #follow(aheadMs: number): void {
    const now = this.#deps.clock.now();
    if (aheadMs >= 0 || (aheadMs < -jumpMsMax && this.#isAgreed(now - hourMs))) this.#trust(now);
    this.#end();
  }

  /** Set back since the doubt began, and still ahead: what a time server agrees with from now on is the time as it is now. */
  #lookBack(doubt: Doubt): void {
    const now = this.#deps.clock.now();
    if (now < doubt.agreementFrom) doubt.agreementFrom = now - minuteMs;
  }

  #aheadMs(): number {
    const { clock } = this.#deps;
    return clock.now() - (this.#trustedAt + clock.monotonic() - this.#trustedAtSteady);
  }

  #stoodMs({ since, stoodMs }: Doubt): number {
    return stoodMs + this.#deps.clock.monotonic() - since;
  }

  #isAgreed(from: number): boolean {
    const at = this.#deps.agreedAt();
    return at !== null && at >= from && at <= this.#deps.clock.now() + minuteMs;
  }

  #trust(now: number): void {
    this.#trustedAt = now;
    this.#trustedAtSteady = this.#deps.clock.monotonic();
  }

  #begin(stoodMs: number, agreementFrom: number): void {
    this.#doubt = { since: this.#deps.clock.monotonic(), stoodMs, agreementFrom };
    this.#deps.changed({ aheadMs: this.#aheadMs(), forMs: stoodMs });
  }

  #end(): void {
    if (this.#doubt === null) return;
    this.#doubt = null;
    this.#deps.changed(null);
  }
}
