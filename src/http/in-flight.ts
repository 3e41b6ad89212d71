/** Counts the requests in flight: in a start they wait for its end, a stopping service refuses new ones and waits for the others. */
import type { Clock } from "../platform/clock.ts";
import { StartQueue } from "./start-queue.ts";

export type InFlightRequests = ReturnType<typeof inFlightRequests>;

export function inFlightRequests(clock: Pick<Clock, "after">) {
  let inFlight = 0;
  let state: "starting" | "open" | "closed" = "open";
  let drained: (() => void) | null = null;
  const queue = new StartQueue(clock);

  return {
    /** False once closed, and in a start: the request must be refused, and not counted out by `leave`. */
    enter(): boolean {
      if (state !== "open") return false;
      inFlight += 1;
      return true;
    },
    leave(): void {
      inFlight -= 1;
      if (inFlight === 0) drained?.();
    },
    /** In a start: resolves at its end, or when the request has waited for long enough. Null else, and where too many wait. */
    startToWaitFor: (): Promise<void> | null => (state === "starting" ? queue.join() : null),
    /** The service starts: until `open` requests wait. */
    begin(): void {
      state = "starting";
    },
    open(): void {
      state = "open";
      void queue.release();
    },
    /** No request is taken any more. Resolves once those in flight are answered. */
    close(): Promise<void> {
      state = "closed";
      void queue.release();
      return new Promise((resolve) => {
        drained = resolve;
        if (inFlight === 0) resolve();
      });
    },
    get isStarting(): boolean {
      return state === "starting";
    },
    get inFlight(): number {
      return inFlight;
    },
    /** For the end of a start. */
    get waiting(): number {
      return queue.size;
    },
  };
}
