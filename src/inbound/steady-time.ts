/** Time for waiting: epoch milliseconds like the wall clock's, but without its jumps for as long as Peyk runs. */
import type { Clock } from "../platform/clock.ts";

export type SteadyTime = () => number;

/** It agrees with the wall clock at the moment of this call. What it gave before a restart may lie in its future after it. */
export function steadyTime(clock: Clock): SteadyTime {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
}
