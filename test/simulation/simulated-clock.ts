/** The clock of the service in a run. */
import type { Clock } from "../../src/platform/clock.ts";
import { time } from "./virtual-time.ts";

export const simulatedClock: Clock = {
  now: () => time.now(),
  monotonic: () => time.monotonic,
  after(delayMs, task) {
    const timer = time.timer(delayMs, task);
    return {
      cancel: () => {
        timer.run = null;
      },
    };
  },
};
