/** A count with its noun. */

/** `1 part`, `2 parts`. */
export const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
