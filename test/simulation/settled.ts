/** Lets the time of a run pass until a promise is settled. */
import { drainMicrotasks } from "bun:jsc";
import { time } from "./virtual-time.ts";

type Settled<Value> = { value: Value } | { reason: unknown };

/** Null: it was given up before. Throws where so much time passes in vain: then something real is waited for. */
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
  // Set by what a step runs, which the compiler does not see.
  const found = (): Settled<Value> | null => end;
  for (const endsAt = time.monotonic + msMax; found() === null; ) {
    if (isGivenUp()) return null;
    if (!time.step(endsAt)) throw new Error("Something real is waited for");
  }
  return isGivenUp() ? null : found();
}
