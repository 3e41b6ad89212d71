/** Finds the known word that a mistyped one probably stands for. */

/**
 * The nearest of `known`; null if none is near, that is, if more than this share of the letters (at least two) would
 * have to change.
 */
export function nearest(word: string, known: Iterable<string>, shareMax = 0.4): string | null {
  let best: string | null = null;
  let bestSteps = Math.max(2, Math.floor(word.length * shareMax)) + 1;
  for (const candidate of known) {
    const steps = editSteps(word.toLowerCase(), candidate.toLowerCase());
    if (steps < bestSteps) [best, bestSteps] = [candidate, steps];
  }
  return best;
}

/** Letters to insert, remove, replace or swap with a neighbour (optimal string alignment distance). */
export function editSteps(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + replaced,
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
