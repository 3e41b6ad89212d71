/** Lets the time of a run pass until a promise is settled. */
import { drainMicrotasks } from "bun:jsc";
import { time } from "./virtual-time.ts";

type Settled<Value> = { value: Value } | { reason: unknown };

/** Null: it was given up. Throws if this much time passes in vain: then it waits for something real. */
export function settled<Value>(
  promise: Promise<Value>,
  msMax: number,
  isGivenUp: () => boolean,
): Settled<Value> | null {
  let end: Settled<Value> | null = null;
  promise.then(
    (value) => {
      end = { value };
    },
    (reason: unknown) => {
      end = { reason };
    },
  );
  drainMicrotasks();
  // Set by code that a step runs, which the compiler does not see.
  const found = (): Settled<Value> | null => end;
  for (const endsAt = time.monotonic + msMax; found() === null; ) {
    if (isGivenUp()) return null;
    if (!time.step(endsAt)) throw new Error("Something real is waited for");
  }
  return isGivenUp() ? null : found();
}
