/** Epoch milliseconds that follow no jump of the wall clock while Peyk runs, to measure waiting by. */
import type { Clock } from "../platform/clock.ts";

export type SteadyTime = () => number;

/** Agrees with the wall clock at the moment of this call. After a restart, times of the last run may lie in the future. */
export function steadyTime(clock: Clock): SteadyTime {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
