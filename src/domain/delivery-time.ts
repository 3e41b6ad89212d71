/** Times to delivery in classes: each ends at √2 times the end of the one before, so few of them tell median and p95 within a fifth. */

/** Class 1 ends here. */
const firstEndMs = 100;
const classesPerDoubling = 2;
/** Begins after seven days. */
const lastClass = 46;

/** From 1; a class holds its upper end. A negative time, from a clock that was set back, counts as none. */
export function deliveryTimeClass(ms: number): number {
  if (ms <= firstEndMs) return 1;
  return Math.min(1 + Math.ceil(classesPerDoubling * Math.log2(ms / firstEndMs)), lastClass);
}

function endOf(timeClass: number): number {
  return firstEndMs * 2 ** ((timeClass - 1) / classesPerDoubling);
}

/**
 * The time in milliseconds within which `share` of the deliveries came, or null where there is none. `deliveries`: how many there
 * are in each class. Within a class times are taken to be spread evenly.
 */
export function deliveryTimeWithin(deliveries: ReadonlyMap<number, number>, share: number): number | null {
  const classes = [...deliveries].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let left = total * share;
  for (const [timeClass, count] of classes) {
    if (left <= count) {
      const startMs = timeClass === 1 ? 0 : endOf(timeClass - 1);
      return Math.round(startMs + ((endOf(timeClass) - startMs) * left) / count);
    }
    left -= count;
  }
  return Math.round(endOf(classes.at(-1)?.[0] ?? 1));
}
