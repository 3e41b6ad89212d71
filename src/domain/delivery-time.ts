/**
 * Delivery times in classes: each ends at √2 times the end of the previous one, so a few of them give median and p95 to
 * within a fifth.
 */

/** Upper end of class 1. */
const firstEndMs = 100;
const classesPerDoubling = 2;
/** Starts after seven days. */
const lastClass = 46;

/** Starts at 1; a class includes its upper end. A negative time, from a clock that was set back, counts as zero. */
export function deliveryTimeClass(ms: number): number {
  if (ms <= firstEndMs) return 1;
  return Math.min(1 + Math.ceil(classesPerDoubling * Math.log2(ms / firstEndMs)), lastClass);
}

function endOf(timeClass: number): number {
  return firstEndMs * 2 ** ((timeClass - 1) / classesPerDoubling);
}

const startOf = (timeClass: number): number => (timeClass === 1 ? 0 : endOf(timeClass - 1));

/** Where a delivery is told apart from later ones, in the figures. */
export const deliveryTimeLimitsMs = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

/** How many deliveries took at most each of the limits and longer than the one before; last, those that took longer. */
export function deliveriesByLimit(deliveries: ReadonlyMap<number, number>): number[] {
  const within = (limitMs: number) =>
    [...deliveries].reduce((sum, [timeClass, count]) => {
      const startMs = startOf(timeClass);
      const share = (limitMs - startMs) / (endOf(timeClass) - startMs);
      return sum + count * Math.min(1, Math.max(0, share));
    }, 0);
  const all = [...deliveries.values()].reduce((sum, count) => sum + count, 0);
  const upTo = [...deliveryTimeLimitsMs.map((limit) => Math.round(within(limit))), all];
  return upTo.map((count, index) => count - (upTo[index - 1] ?? 0));
}

/**
 * The time in milliseconds within which `share` of the deliveries arrived; null if there were none. `deliveries`: the
 * number in each class. Times are assumed to be evenly spread within a class.
 */
export function deliveryTimeWithin(deliveries: ReadonlyMap<number, number>, share: number): number | null {
  const classes = [...deliveries].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [timeClass, count] of classes) {
    if (left <= count) {
      const startMs = startOf(timeClass);
      return Math.round(startMs + ((endOf(timeClass) - startMs) * left) / count);
    }
    left -= count;
  }
  return Math.round(endOf(classes.at(-1)?.[0] ?? 1));
}
