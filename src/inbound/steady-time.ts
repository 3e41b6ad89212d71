/** Epoch milliseconds unaffected by jumps of the wall clock while Peyk runs, for measuring waits. */
import type { Clock } from "../platform/clock.ts";

export type SteadyTime = () => number;

/** Equals the wall clock at the moment of this call. After a restart, times of the last run may be in the future. */
export function steadyTime(clock: Clock): SteadyTime {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
