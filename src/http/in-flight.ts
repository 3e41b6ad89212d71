/** Counts the requests in flight, so that a stopping service can refuse new ones and wait for the others. */

export type InFlightRequests = ReturnType<typeof inFlightRequests>;

export function inFlightRequests() {
  let inFlight = 0;
  let closed = false;
  let allOut: (() => void) | null = null;

  return {
    /** False once closed: the caller must not go in, and must not `leave`. */
    enter(): boolean {
      if (closed) return false;
      inFlight += 1;
      return true;
    },
    leave(): void {
      inFlight -= 1;
      if (inFlight === 0) allOut?.();
    },
    /** Takes back a `close`. */
    open(): void {
      closed = false;
    },
    /** Nobody comes in any more. Resolves once everybody is out. */
    close(): Promise<void> {
      closed = true;
      return new Promise((resolve) => {
        allOut = resolve;
        if (inFlight === 0) resolve();
      });
    },
    get inFlight(): number {
      return inFlight;
    },
  };
}
