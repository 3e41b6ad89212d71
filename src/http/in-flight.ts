/** Counts the requests in flight, so that a stopping service can refuse new ones and wait for the others. */

export type InFlightRequests = ReturnType<typeof inFlightRequests>;

export function inFlightRequests() {
  let inFlight = 0;
  let closed = false;
  let drained: (() => void) | null = null;

  return {
    /** False once closed: the request must be refused, and not counted out by `leave`. */
    enter(): boolean {
      if (closed) return false;
      inFlight += 1;
      return true;
    },
    leave(): void {
      inFlight -= 1;
      if (inFlight === 0) drained?.();
    },
    /** Undoes a `close`. */
    open(): void {
      closed = false;
    },
    /** No request is taken any more. Resolves once those in flight are answered. */
    close(): Promise<void> {
      closed = true;
      return new Promise((resolve) => {
        drained = resolve;
        if (inFlight === 0) resolve();
      });
    },
    get inFlight(): number {
      return inFlight;
    },
  };
}
