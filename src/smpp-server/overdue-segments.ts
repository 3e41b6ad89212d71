/**
 * Ends long messages that stayed incomplete: nothing is sent, what was reserved is released, and customers are told.
 */
import type { SteadyTime } from "../inbound/steady-time.ts";
import type { TrafficRules } from "../messaging/rules/traffic-rules.ts";
import type { BookingClock } from "../platform/booking-clock.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { SmppAssemblyRow } from "../store/smpp-assemblies.ts";
import type { Store, Tables } from "../store/store.ts";
import { asksFor, messageState } from "./message-states.ts";
import { reservedFor } from "./segments.ts";

export interface OverdueSegmentsDeps {
  store: Store;
  clock: Clock;
  bookingClock: Pick<BookingClock, "moment">;
  steady: SteadyTime;
  log: Logger;
  rules: TrafficRules;
  reassemblyTimeoutMs: number;
}

/** Messages per transaction: a few milliseconds. */
const sliceRows = 20;
/** Wait after a disk error. */
const retryMs = 5_000;

/** One timer for all messages: it is set for the oldest, and reset each time it fires. */
export class OverdueSegments {
  readonly #deps: OverdueSegmentsDeps;
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();
  #isStopped = true;

  constructor(deps: OverdueSegmentsDeps) {
    this.#deps = deps;
  }

  /** Resumes with what was waiting when Peyk stopped. */
  async start(): Promise<void> {
    const { store, steady } = this.#deps;
    this.#isStopped = false;
    await store.write((tables) => tables.smppAssemblies.pullIn(steady()));
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
    await this.#running;
  }

  /** Call when segments begin to wait. */
  wake(): void {
    if (this.#isStopped || this.#timer !== null) return;
    const { store, clock, steady, reassemblyTimeoutMs } = this.#deps;
    const firstOpenedAt = store.tables.smppAssemblies.firstOpenedAt();
    if (firstOpenedAt === null) return;
    this.#timer = clock.after(Math.max(0, firstOpenedAt + reassemblyTimeoutMs - steady()), this.#fire);
  }

  /**
   * The customer cancels the message that this submit sent a segment of; false if that message is no longer waiting.
   */
  cancel(submitId: number): Promise<boolean> {
    return this.#deps.store.write((tables) => {
      const assembly = tables.smppAssemblies.ofSubmit(submitId);
      if (assembly === null || assembly.state !== 0) return false;
      this.#end(tables, assembly, messageState.deleted);
      return true;
    });
  }

  readonly #fire = (): void => {
    const { log, clock } = this.#deps;
    this.#timer = null;
    this.#running = this.#expire().then(
      () => this.wake(),
      (reason: unknown) => {
        log.error({ err: reason }, "incomplete messages of customers could not be ended; they wait");
        if (!this.#isStopped) this.#timer = clock.after(retryMs, this.#fire);
      },
    );
  };

  async #expire(): Promise<void> {
    const { store, steady, log, reassemblyTimeoutMs } = this.#deps;
    for (let full = true; full && !this.#isStopped; ) {
      const ended = await store.write((tables) => {
        const due = tables.smppAssemblies.openedThrough(steady() - reassemblyTimeoutMs, sliceRows);
        for (const assembly of due) this.#end(tables, assembly, messageState.expired);
        // Repeats of its segments are no longer looked for.
        tables.smppAssemblies.prune("whole", steady() - reassemblyTimeoutMs, sliceRows);
        return due.length;
      });
      if (ended > 0) log.warn({ messages: ended }, "long messages of customers never came whole, and are not sent");
      full = ended === sliceRows;
    }
  }

  #end(tables: Tables, assembly: SmppAssemblyRow, state: number): void {
    const { rules, bookingClock } = this.#deps;
    const { id, accountId, apiKeyId, credentialId } = assembly;
    const moment = bookingClock.moment();
    const now = moment.at;
    const segments = tables.smppAssemblies.segments(id);
    tables.smppAssemblies.end(id, "incomplete");
    for (const segment of segments) {
      const { submitId } = segment;
      rules.giveBack(tables, { accountId, apiKeyId, ...moment }, reservedFor([segment]), segment.createdAt);
      tables.smppSubmits.end(submitId, state);
      const submit = tables.smppSubmits.byId(submitId);
      if (submit === null || !asksFor(submit.registeredDelivery, state)) continue;
      const errorCode = state === messageState.expired ? "expired" : null;
      tables.credentialDeliveries.addReceipt({
        credentialId,
        submitId,
        state,
        errorCode,
        endedAt: now,
        createdAt: now,
      });
    }
  }
}
