/**
 * How many messages of each credential were accepted in each of the last 24 hours, since the service started. Sampled
 * once a minute from the totals, so that accepting a message costs nothing more.
 */
import type { Clock, Timer } from "../platform/clock.ts";

export interface CredentialHoursDeps {
  clock: Pick<Clock, "now" | "after">;
  uses(): readonly { credentialId: number; accepted: number }[];
}

interface Counted {
  /** The total at the last sample. */
  accepted: number;
  /** By the hour since the epoch. */
  byHour: Map<number, number>;
}

const sampleMs = 60_000;
const hourMs = 3_600_000;
const hoursKept = 24;
/** Those that bind first; the hours of more are not kept. */
const credentialsMax = 2_000;

export class CredentialHours {
  readonly since: number;
  readonly #byId = new Map<number, Counted>();
  #timer: Timer | null = null;

  constructor(private readonly deps: CredentialHoursDeps) {
    this.since = deps.clock.now();
  }

  start(): void {
    this.#sample();
    this.#timer = this.deps.clock.after(sampleMs, () => this.start());
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** The oldest hour first, the present one last. */
  of(credentialId: number): number[] {
    const hour = this.#sample();
    const byHour = this.#byId.get(credentialId)?.byHour;
    return Array.from({ length: hoursKept }, (_, index) => byHour?.get(hour - hoursKept + 1 + index) ?? 0);
  }

  #sample(): number {
    const hour = Math.floor(this.deps.clock.now() / hourMs);
    for (const { credentialId, accepted } of this.deps.uses()) {
      const counted = this.#byId.get(credentialId) ?? { accepted: 0, byHour: new Map<number, number>() };
      if (!this.#byId.has(credentialId) && this.#byId.size >= credentialsMax) continue;
      this.#byId.set(credentialId, counted);
      const added = accepted - counted.accepted;
      counted.accepted = accepted;
      if (added > 0) counted.byHour.set(hour, (counted.byHour.get(hour) ?? 0) + added);
      for (const one of counted.byHour.keys()) if (one <= hour - hoursKept) counted.byHour.delete(one);
    }
    return hour;
  }
}
