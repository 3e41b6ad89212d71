/** Parts do not wait for ever: what is still incomplete when its time is over becomes a message as it is. */
import type { Clock, Timer } from "../platform/clock.ts";
import type { Logger } from "../platform/log.ts";
import type { Store } from "../store/store.ts";
import { assemble, type Taken } from "./receiver.ts";
import type { SteadyTime } from "./steady-time.ts";

export interface OverdueDeps {
  store: Store;
  clock: Clock;
  steady: SteadyTime;
  log: Logger;
  reassemblyTimeoutMs: number;
  /** Told of every message that was made of what there was, after the commit. */
  assembled(taken: Taken): void;
}

/** Messages in one transaction: a few milliseconds. */
const sliceRows = 50;
/** After a disk error. */
const retryMs = 5_000;

export type Overdue = ReturnType<typeof overdue>;

/** One timer for all: it is set for the assembly that was opened first, and set anew whenever it has fired. */
export function overdue({ store, clock, steady, log, reassemblyTimeoutMs, assembled }: OverdueDeps) {
  let timer: Timer | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;

  async function deliverOverdue(): Promise<void> {
    for (let full = true; full && !stopped; ) {
      const slice = await store.write((tables) => {
        const due = tables.inboundParts.openedThrough(steady() - reassemblyTimeoutMs, sliceRows);
        return due.map((assembly) => assemble(tables, assembly, clock.now()));
      });
      for (const taken of slice) assembled(taken);
      if (slice.length > 0) log.warn({ messages: slice.length }, "long inbound messages are delivered incomplete");
      full = slice.length === sliceRows;
    }
  }

  function fire(): void {
    timer = null;
    running = deliverOverdue().then(wake, (reason: unknown) => {
      log.error({ err: reason }, "incomplete inbound messages could not be stored; they wait");
      if (!stopped) timer = clock.after(retryMs, fire);
    });
  }

  /** Parts have begun to wait. */
  function wake(): void {
    if (stopped || timer !== null) return;
    const firstOpenedAt = store.tables.inboundParts.firstOpenedAt();
    if (firstOpenedAt === null) return;
    timer = clock.after(Math.max(0, firstOpenedAt + reassemblyTimeoutMs - steady()), fire);
  }

  return {
    /** Takes up what waited when Peyk stopped. */
    async start(): Promise<void> {
      stopped = false;
      await store.write((tables) => tables.inboundParts.pullIn(steady()));
      wake();
    },
    wake,
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      timer = null;
      await running;
    },
  };
}
