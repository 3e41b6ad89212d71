/** Ends a connection whose statement is not answered. */
import type { Clock, Timer } from "../platform/clock.ts";

/**
 * Calls `reconnect` each time this much has passed, until cancelled: a connection that was only just opened is not
 * ended, and has to be looked at again.
 */
export function impatience(clock: Pick<Clock, "after">, everyMs: number, reconnect: () => void): Timer {
  const again = () => {
    reconnect();
    timer = clock.after(everyMs, again);
  };
  let timer = clock.after(everyMs, again);
  return { cancel: () => timer.cancel() };
}
