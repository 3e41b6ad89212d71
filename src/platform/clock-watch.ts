/** Detects a wall clock that jumped ahead, so that nothing is deleted or failed because of a wrong time. */
import { statSync } from "node:fs";
import type { Clock } from "./clock.ts";
import { errorCode } from "./error-code.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/**
 * If the clock is ahead of elapsed time by more than this, it is in doubt. In normal service NTP slews or steps by
 * less.
 */
const jumpMsMax = hourMs;
/** After this long, nobody is expected to set it back. */
const standsMs = 24 * hourMs;

/** systemd-timesyncd touches it at each answer of a time server; the unit forbids asking the kernel (ProtectClock). */
const timesyncFile = "/run/systemd/timesync/synchronized";

/** When the machine's time service last agreed with a time server, epoch milliseconds; null if unknown. */
export function timeServiceAgreedAt(): number | null {
  try {
    return statSync(timesyncFile).mtimeMs;
  } catch (reason) {
    if (["ENOENT", "EACCES", "ENOTDIR"].includes(errorCode(reason))) return null;
    throw reason;
  }
}

/** Stored across restarts. */
export interface TrustedTime {
  /** Epoch milliseconds: the newest wall time not in doubt. */
  trustedAt: number;
  /** How long a doubt has lasted; 0 if there is none. */
  doubtedForMs: number;
}

export interface ClockDoubt {
  /** How far the wall clock is ahead of elapsed time, in milliseconds. */
  aheadMs: number;
  /** How long it has been ahead. */
  forMs: number;
}

export interface ClockWatchDeps {
  clock: Pick<Clock, "now" | "monotonic">;
  /** See `timeServiceAgreedAt`. */
  agreedAt(): number | null;
  /** Null if nothing is known about earlier times. */
  before: TrustedTime | null;
  /** Called when a doubt begins, and when it ends (null). */
  changed(doubt: ClockDoubt | null): void;
}

interface Doubt {
  /** Monotonic milliseconds. */
  since: number;
  /** How long it had lasted before this process. */
  stoodMs: number;
  /** Wall time from which a time server's agreement counts. */
  agreementFrom: number;
}

export class ClockWatch {
  /** A wall time that was right, and the monotonic time at the same moment. */
  #trustedAt: number;
  #trustedAtSteady: number;
  #doubt: Doubt | null = null;

  constructor(private readonly deps: ClockWatchDeps) {
    const { clock, before } = deps;
    this.#trustedAt = before?.trustedAt ?? clock.now();
    this.#trustedAtSteady = clock.monotonic();
    // Set before this process began: any agreement in the last hour was with the current time.
    if (this.#aheadMs() > jumpMsMax) this.#begin(before?.doubtedForMs ?? 0, clock.now() - hourMs);
  }

  /** The newest wall time not in doubt, as last checked: epoch milliseconds. */
  get trustedAt(): number {
    return this.#trustedAt;
  }

  /** Null while the wall clock can be trusted. Checked at each call. */
  doubt(): ClockDoubt | null {
    const aheadMs = this.#aheadMs();
    if (aheadMs <= jumpMsMax) this.#follow(aheadMs);
    else if (this.#doubt === null) this.#begin(0, this.deps.clock.now());
    else this.#lookBack(this.#doubt);
    if (this.#doubt !== null && (this.#stoodMs(this.#doubt) >= standsMs || this.#isAgreed(this.#doubt.agreementFrom))) {
      this.confirm();
    }
    return this.#doubt === null ? null : { aheadMs, forMs: this.#stoodMs(this.#doubt) };
  }

  /** The operator confirms that the time is right. */
  confirm(): void {
    this.#trust(this.deps.clock.now());
    this.#end();
  }

  state(): TrustedTime {
    this.doubt();
    return {
      trustedAt: this.#trustedAt,
      doubtedForMs: this.#doubt === null ? 0 : Math.max(1, Math.round(this.#stoodMs(this.#doubt))),
    };
  }

  /** A clock that is behind is followed only if the time service agrees: it may be about to be corrected. */
  #follow(aheadMs: number): void {
    const now = this.deps.clock.now();
    if (aheadMs >= 0 || (aheadMs < -jumpMsMax && this.#isAgreed(now - hourMs))) this.#trust(now);
    this.#end();
  }

  /**
   * Set back since the doubt began, and still ahead: only a time server's agreement from now on confirms the current
   * time.
   */
  #lookBack(doubt: Doubt): void {
    const now = this.deps.clock.now();
    if (now < doubt.agreementFrom) doubt.agreementFrom = now - minuteMs;
  }

  #aheadMs(): number {
    const { clock } = this.deps;
    return clock.now() - (this.#trustedAt + clock.monotonic() - this.#trustedAtSteady);
  }

  #stoodMs({ since, stoodMs }: Doubt): number {
    return stoodMs + this.deps.clock.monotonic() - since;
  }

  #isAgreed(from: number): boolean {
    const at = this.deps.agreedAt();
    return at !== null && at >= from && at <= this.deps.clock.now() + minuteMs;
  }

  #trust(now: number): void {
    this.#trustedAt = now;
    this.#trustedAtSteady = this.deps.clock.monotonic();
  }

  #begin(stoodMs: number, agreementFrom: number): void {
    this.#doubt = { since: this.deps.clock.monotonic(), stoodMs, agreementFrom };
    this.deps.changed({ aheadMs: this.#aheadMs(), forMs: stoodMs });
  }

  #end(): void {
    if (this.#doubt === null) return;
    this.#doubt = null;
    this.deps.changed(null);
  }
}
