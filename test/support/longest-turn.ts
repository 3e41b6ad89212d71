/**
 * Measures how long work blocks the event loop, excluding the time that the thread waited for a processor and, in a
 * virtual machine, that its host gave to others: both are the machine's doing. Tests that use it are named
 * `*.hold.test.ts`, and `bun run test` runs them alone at its end.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { nextTurn } from "../../src/platform/next-turn.ts";

export const heldMsMax = 50;
const attempts = 10;
/** How long the thread ran, and how long it waited for a processor, in nanoseconds. Not every kernel has it. */
const schedulerFile = "/proc/thread-self/schedstat";
/** Steps in which the kernel tells what the host has taken. */
const stolenStepMs = 10;

/** Time in milliseconds that only passes while this thread runs, or waits for anything but a processor. */
class ThreadClock implements Disposable {
  readonly #file = existsSync(schedulerFile) ? openSync(schedulerFile, "r") : null;
  readonly #text = Buffer.alloc(128);

  now(): { ms: number; ranMs: number } {
    const [ranMs, waitedMs] = this.#scheduled();
    return { ms: performance.now() - waitedMs, ranMs };
  }

  #scheduled(): [ranMs: number, waitedMs: number] {
    if (this.#file === null) return [0, 0];
    const length = readSync(this.#file, this.#text, 0, this.#text.length, 0);
    const [ran, waited] = this.#text.toString("latin1", 0, length).split(" ");
    return [Number(ran) / 1e6, Number(waited) / 1e6];
  }

  [Symbol.dispose](): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}

/** What the host has taken from the processor that this thread runs on. */
export interface StolenTime {
  /** Since the last call, in milliseconds. */
  next(): number;
}

/** As the kernel tells it. It tells late, so that a turn can lose what was taken from the one before. */
class ToldByKernel implements StolenTime {
  #processor: string | undefined;
  #ms = 0;

  /** 0 if the thread has moved to another processor since, or if it is not told. */
  next(): number {
    const [processor, before] = [this.#processor, this.#ms];
    this.#processor = lineOf("/proc/thread-self/stat", ") ")[36];
    this.#ms = Number(lineOf("/proc/stat", `cpu${this.#processor} `)[7] ?? 0) * stolenStepMs;
    return processor === this.#processor ? this.#ms - before : 0;
  }
}

/** The words of the line behind `start`; see proc(5) for their order. */
function lineOf(path: string, start: string): string[] {
  const text = existsSync(path) ? readFileSync(path, "latin1") : "";
  const [, rest = ""] = text.split(start, 2);
  return rest.split("\n", 1)[0]?.split(" ") ?? [];
}

/** The longest turn until `work` has ended, in milliseconds, including its first and its last turn. */
export async function longestTurn(
  work: () => Promise<unknown>,
  stolen: StolenTime = new ToldByKernel(),
): Promise<number> {
  using clock = new ThreadClock();
  stolen.next();
  let [isRunning, longest, last, asked] = [true, 0, clock.now(), performance.now()];
  const note = () => {
    const { ms, ranMs } = clock.now();
    const isDue = performance.now() - asked >= stolenStepMs;
    // A thread that sleeps loses nothing.
    const stolenMs = isDue ? Math.min(stolen.next(), ranMs - last.ranMs) : 0;
    longest = Math.max(longest, ms - last.ms - stolenMs);
    last = clock.now();
    if (isDue) asked = performance.now();
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
  /** How long to wait before an attempt, in milliseconds. */
  pauseMs?: (attempt: number) => number;
  stolen?: StolenTime;
}

/** The first four follow one another; later ones wait for a quieter moment, 12.6 s in all. */
const growing = (attempt: number) => (attempt < 4 ? 0 : 200 * 2 ** (attempt - 4));

/**
 * Fails if `work` blocks the event loop for 50 ms. The best of ten attempts counts: the first one compiles its code,
 * and other programs evict the processor's caches, so that 30 ms occasionally become 60. Code that really blocks does
 * so every time.
 */
export async function expectNoHold(
  work: (attempt: number) => Promise<unknown>,
  { what = "the work", before, pauseMs = growing, stolen }: HoldOptions = {},
): Promise<void> {
  const heldMs: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    await Bun.sleep(pauseMs(attempt));
    await before?.(attempt);
    const ms = await longestTurn(() => work(attempt), stolen);
    if (ms < heldMsMax) return;
    heldMs.push(Math.round(ms));
  }
  throw new Error(
    `In ${attempts} attempts ${what} held the event loop for ${heldMs.join(", ")} ms; at most ${heldMsMax} are allowed`,
  );
}
