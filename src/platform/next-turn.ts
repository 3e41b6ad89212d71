/**
 * Defers work to a later turn of the event loop, and lets other work run between the slices of a long task. Nothing
 * else in `src` schedules turns of the event loop.
 */

/** Runs `task` in the next turn, after everything deferred before it. */
export function inNextTurn(task: () => void): void {
  setImmediate(task);
}

/** Runs `task` as soon as the current synchronous stretch is over, before anything else that waits. */
export function afterThisStretch(task: () => void): void {
  queueMicrotask(task);
}

/**
 * Resolves once sockets and timers have been polled. That takes two immediates: one set by a socket's callback runs
 * before the poll.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Resolves after some milliseconds: for something that another thread holds for about as long. */
export function shortPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

const sliceMs = 8;

/**
 * For a loop with rounds of varying length: each ends with `pause`, which waits for the next turn once this one has
 * been busy for 8 ms.
 */
export class Slices {
  #begunAt = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#begunAt < sliceMs) return;
    await nextTurn();
    this.#begunAt = performance.now();
  }
}

const pieceCharacters = 32 * 1024;

/** For a parser of streams: 32,768 characters of the text in a turn. */
export async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += pieceCharacters) {
    yield text.slice(from, from + pieceCharacters);
    await nextTurn();
  }
}

/** The results of `made` for each item, in order. */
export async function mapInSlices<Item, Made>(items: Iterable<Item>, made: (item: Item) => Made): Promise<Made[]> {
  const all: Made[] = [];
  const slices = new Slices();
  for (const item of items) {
    all.push(made(item));
    await slices.pause();
  }
  return all;
}
