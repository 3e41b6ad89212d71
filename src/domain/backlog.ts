/** The limit for counting waiting callbacks. */

/** Counting stops here, so that a serving thread never counts a million callbacks for a dead endpoint. */
export const callbacksCountedMax = 10_000;
