/** Lets other work run between the slices of a long one. */

/** Resolves in the next turn of the event loop, after what waits in this one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
