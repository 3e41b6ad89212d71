/** Lets other work run between the slices of a long one. */

/**
 * Resolves when sockets and timers were looked at. That takes two immediates: the one that a socket's callback sets runs before
 * they are.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Resolves after some milliseconds: for what another thread holds for about as long. */
export function shortPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

const sliceMs = 8;

/** For a loop whose rounds take unlike long: each ends with `pause`, which waits for the next turn once this one was held for 8 ms. */
export class Slices {
  #begunAt = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#begunAt < sliceMs) return;
    await nextTurn();
    this.#begunAt = performance.now();
  }
}

/** What `made` makes of each, in their order. */
export async function mapInSlices<Item, Made>(items: Iterable<Item>, made: (item: Item) => Made): Promise<Made[]> {
  const all: Made[] = [];
  const slices = new Slices();
  for (const item of items) {
    all.push(made(item));
    await slices.pause();
  }
  return all;
}
