/**
 * Measures how long work blocks the event loop, excluding the time that the thread waited for a processor, which is the
 * machine's doing. Tests that use it are named `*.hold.test.ts`, and `bun run test` runs them alone at its end.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { nextTurn } from "../../src/platform/next-turn.ts";

export const heldMsMax = 50;
const attempts = 5;
/** Its second number is how long the thread has waited for a processor, in nanoseconds. Not every kernel has it. */
const schedulerFile = "/proc/thread-self/schedstat";

/** Time in milliseconds that only passes while this thread runs, or waits for anything but a processor. */
class ThreadClock implements Disposable {
  readonly #file = existsSync(schedulerFile) ? openSync(schedulerFile, "r") : null;
  readonly #text = Buffer.alloc(128);

  now(): number {
    return performance.now() - this.#waitedMs();
  }

  #waitedMs(): number {
    if (this.#file === null) return 0;
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0);
    return Number(this.#text.toString("latin1", 0, length).split(" ")[1]) / 1e6;
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}

/** The longest turn until `work` has ended, in milliseconds, including its first and its last turn. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  using clock = new ThreadClock();
  let [isRunning, longest, last] = [true, 0, clock.now()];
  const note = () => {
    const now = clock.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const noting = (async () => {
    while (isRunning) {
      await nextTurn();
      note();
    }
  })();
  try {
    await work();
  } finally {
    isRunning = false;
    await noting;
  }
  return longest;
}

export interface HoldOptions {
  /** The name for the failure message. */
  what?: string;
  /** Prepares an attempt; not measured. */
  before?: (attempt: number) => unknown;
}

/**
 * Fails if `work` blocks the event loop for 50 ms. The best of five attempts counts: the first one compiles its code,
 * and other programs evict the processor's caches, so that 30 ms occasionally become 60. Code that really blocks does
 * so every time.
 */
export async function expectNoHold(
  work: (attempt: number) => Promise<unknown>,
  { what = "the work", before }: HoldOptions = {},
): Promise<void> {
  const heldMs: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await before?.(attempt);
    const ms = await longestTurn(() => work(attempt));
    if (ms < heldMsMax) return;
    heldMs.push(Math.round(ms));
  }
  throw new Error(
    `In ${attempts} attempts ${what} held the event loop for ${heldMs.join(", ")} ms; at most ${heldMsMax} are allowed`,
  );
}
