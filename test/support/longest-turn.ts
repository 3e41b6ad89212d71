/** Measures how long work holds the event loop, in processor time, which other programs of the machine do not change. */

/** The most processor time that the loop's thread spends in one turn, in milliseconds, until `during` has ended. */
export async function longestTurn(during: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [running, longest, last] = [true, 0, used()];
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await during();
  running = false;
  return longest;
}

const tries = 5;

/**
 * The same of the best of five tries, the last of which is the first that stays below `enoughMs`: what else runs on the processor
 * empties its caches, and a turn of 30 ms takes 50.
 */
export async function longestTurnAtBest(enoughMs: number, during: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && best >= enoughMs; count += 1) best = Math.min(best, await longestTurn(during));
  return best;
}
