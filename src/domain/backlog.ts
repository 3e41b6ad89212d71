/** The limit up to which waiting callbacks are counted. */

/** A million callbacks that wait for a dead endpoint are not counted on a serving thread: the count ends here. */
export const callbacksCountedMax = 10_000;
