/** Limits of a quota. */

/** Parts, far above what any carrier takes in a month. */
export const quotaPartsMax = 1_000_000_000_000;
